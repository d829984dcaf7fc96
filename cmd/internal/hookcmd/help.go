package hookcmd

// Help says how the command is used and how each agent is told about it.
const Help = `Guard an agent: read one hook event on standard input, decide it by the settings that hold where
the agent works, and answer in that agent's words. The agent keeps its own prompts and rules; the
guard adds to them. What cannot be read or decided is denied.

Claude Code, in .claude/settings.json or ~/.claude/settings.json:

  {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
    {"type": "command", "command": "assent hook"}]}]}}

Codex, in ~/.codex/hooks.json, then reviewed with /hooks; it is not run before that:

  {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
    {"type": "command", "command": "assent hook --agent codex"}]}]}}

Gemini CLI, in .gemini/settings.json; the timeout is in milliseconds:

  {"hooks": {"BeforeTool": [{"matcher": ".*", "hooks": [
    {"type": "command", "command": "assent hook --agent gemini", "timeout": 30000}]}]}}

Cursor, in .cursor/hooks.json or ~/.cursor/hooks.json:

  {"version": 1, "hooks": {"preToolUse": [
    {"command": "assent hook --agent cursor", "failClosed": true}]}}

Copilot CLI, in .github/hooks/assent.json or ~/.copilot/hooks/assent.json:

  {"version": 1, "hooks": {"preToolUse": [
    {"type": "command", "bash": "assent hook --agent copilot", "timeoutSec": 30}]}}

Usage:
  assent hook [flags]

Flags:
      --agent NAME              claude, codex, gemini, cursor or copilot (default claude)
      --deadline DURATION       how long an answer may take; then the call is denied (default 5s)
      --project DIR             the project whose settings hold (default: the one the agent names, else
                                the one that the directory it works in belongs to)
      --settings FILE|JSON      further settings
      --trust-workspace         let the workspace grant what its settings say

The exit status is what the agent needs: 0 with an answer, 2 where that blocks. No status blocks
every agent: to Codex and Gemini CLI the answer counts, so a mistake in these flags is answered with
a denial, too, as long as the agent can be made out.
`
