package shell

import "strings"

// program is the text of a program in another language.
type program struct{ text string }

// What the functions of the usual languages are called, by purpose.
var (
	treeCalls = []string{
		"rmtree", "rm_rf", "rm_r", "remove_dir", "remove_tree", "rimraf", "rmSync", "rmdirSync", "fs.rm", "rmdir(", "removeDir", "deleteDirectory",
		"Remove-Item", "delete_dir", "removedirs", "rmdir_r", "Deno.remove", "emptyDir", "remove_entry", "secure_delete",
	}
	removeCalls = []string{"unlink", "os.remove", "File.delete", "FileUtils.rm", "deleteFile", "unlinkSync", "fs.unlink", "rmtree", "remove("}
	writeCalls  = []string{
		"writeFile", "appendFile", "File.write", "file_put_contents", "write_text", "write_bytes", ".write(", "'w'", "\"w\"", "'a'", "\"a\"", "'wb'",
		"\"wb\"", "'w+'", "\"w+\"", "'ab'", "\"ab\"", "'>'", "'>>'", "\">\"", "\">>\"", "copyfile", "shutil.copy", "shutil.move", "os.rename",
		"FileUtils.cp", "FileUtils.mv",
		"renameSync", "copyFile", "os.chmod", "chmodSync", "symlink", "print >", "print>", "printf >", "Out-File", "Set-Content", "createWriteStream", "os.truncate",
		"> \"", ">\"", "> '",
	}
	shellCalls = []string{
		"subprocess", "pty.spawn", "os.dup2", "/bin/sh", "/bin/bash", "exec(", "exec \"", "exec '", "spawn", "child_process", "os.system", "popen", "system(",
		"IO.popen", "Open3", "STDIN->fdopen", "cmd.exe", "proc_open", "shell_exec", "|&", "os.execute", "system \"", "system '", "%x", "qx", "do shell script",
	}
	socketCalls = []string{
		"socket", "TCPSocket", "/inet/tcp", "/inet/udp", "net.connect", "net.Socket", "fsockopen", "IO::Socket", "Sockets.TCPClient", "net\").connect",
		"net').connect", "Deno.connect", "sockaddr_in", "(\"net\")", "('net')",
	}
	fetchCalls = []string{
		"urlopen", "urllib", "requests.get", "http.client", "httpx", "open-uri", "URI.open", "Net::HTTP", "LWP", "HTTP::Tiny", "fetch(", "http.get", "https.get",
		"http.request", "axios", "file_get_contents('http", "file_get_contents(\"http", "curl_exec", "Invoke-WebRequest", "iwr", "DownloadString", "net/http", "wget",
	}
	evalCalls = []string{
		"exec(", "eval(", "eval ", "eval{", "compile(", "Function(", "instance_eval", "iex", "Invoke-Expression", "__import__(", "runInThisContext", "vm.run",
		"pickle.loads", "marshal.loads",
	}
	decodeCalls = []string{
		"b64decode", "base64", "decode64", "unhexlify", "fromhex", "atob(", "Buffer.from", "zlib.decompress", "unpack(", "pack(", "base64_decode",
		"rot13", "codecs.decode",
	}
	homeCalls  = []string{"Path.home", "homedir()", "Dir.home", "'HOME'", "\"HOME\"", "$HOME", "{HOME}", "expanduser('~')", "expanduser(\"~\")", "env.HOME"}
	powerCalls = []string{"to shut down", "to restart", "Stop-Computer", "Restart-Computer"}
	queryCalls = []string{"execute(", "executescript(", ".query(", ".exec(", "executemany(", "mysqli_query", "->exec(", "raw("}
)

// calls reports whether one of the names occurs. That is rough: a program text is
// not parsed, so the names were chosen not to be ordinary words.
func (p *program) calls(names []string) bool {
	for _, name := range names {
		if strings.Contains(p.text, name) {
			return true
		}
	}
	return false
}

// forks: fork in a loop.
func (p *program) forks() bool {
	if !p.word("fork") {
		return false
	}
	for _, loop := range [...]string{"while", "loop", "for", "until", "goto"} {
		if p.word(loop) {
			return true
		}
	}
	return false
}

// word reports whether a name occurs that is not a part of a longer one.
func (p *program) word(name string) bool {
	for from := 0; ; {
		at := strings.Index(p.text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(name)
		if (at == 0 || !isLetter(p.text[at-1])) && (end == len(p.text) || !isLetter(p.text[end])) {
			return true
		}
		from = end
	}
}

// strings yields the string constants of the program, and what stands in %x(…) and
// qx{…}, which run it.
func (p *program) strings(yield func(string) bool) {
	text := p.text
	for i := 0; i < len(text); i++ {
		quote := text[i]
		if i > 1 && text[i-1] == 'x' && (text[i-2] == '%' || text[i-2] == 'q') {
			quote = closing(quote)
		} else if quote != '\'' && quote != '"' && quote != '`' {
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != quote {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(text) {
			return
		}
		if !yield(text[i+1 : end]) {
			return
		}
		i = end
	}
}

// closing is the bracket that ends a text which this one starts; other characters
// end it themselves.
func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return open
}
