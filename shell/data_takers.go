package shell

// textTakers have subcommands whose options hold text for people, or requests: none of
// them is a command, but for those that are modelled.
const textTakers = "git gh glab jj aws gcloud az gsutil redis-cli etcdctl vault apk dnf yum zypper pacman brew snap pip pip3 pipx"

// tellers look up what they are given, or tell people: man git push.
const tellers = "man info tldr whatis apropos help cheat whereis which type hash command-not-found notify-send say espeak logger wall write figlet toilet " +
	"cowsay lolcat banner terminal-notifier osascript-notify"

// valueTakers are modelled otherwise, but a value may be a command: make SHELL='…',
// gcc -wrapper, env X='…'.
const valueTakers = "env genv sudo doas make gmake cc gcc g++ c++ clang clang++"

// dataTakers run none of the words they are given: those are files, names and texts. The
// value of an option may be a command all the same: certbot --deploy-hook '…'. A program
// that runs some of its words behind "exec" may be here too.
const dataTakers = "apt-cache apt-mark apt-file apt-key dpkg-query dpkg-reconfigure add-apt-repository rpm-ostree port choco scoop winget gem cpan cpanm " +
	"luarocks nuget conan vcpkg pod carthage nvm fnm jenv sdk easy_install conda-build stow update-alternatives modprobe lsmod insmod rmmod " +
	"useradd usermod groupadd groupmod adduser addgroup gpasswd chsh chfn getent groups mount umount rc-service rc-update chkconfig update-rc.d " +
	"hostnamectl timedatectl localectl loginctl sysctl swapon swapoff fuser lsof pidof pstree " +
	// They show something.
	"zenity dialog whiptail " +
	"code cursor subl atom idea open xdg-open start explorer feh display less bat glow " +
	// Checks and formatters.
	"eslint prettier stylelint biome oxlint tslint standard xo ruff black isort flake8 pylint pycodestyle pydocstyle mypy pyright pyre bandit autopep8 yapf " +
	"pyupgrade vulture radon rubocop standardrb shellcheck shfmt hadolint yamllint markdownlint markdownlint-cli2 golangci-lint staticcheck govulncheck " +
	"gofmt gofumpt goimports golines revive rustfmt clang-format clang-tidy cppcheck cpplint ktlint detekt swiftlint swiftformat phpcs phpcbf " +
	"php-cs-fixer phpstan psalm rector sqlfluff tflint tfsec checkov trivy grype syft semgrep codespell typos vale actionlint buf taplo dprint djlint " +
	"jsonlint ajv spectral redocly knip depcheck madge cspell commitlint lint-staged cloc tokei scc gitleaks trufflehog " +
	// Tests.
	"pytest py.test jest vitest mocha ava cypress playwright phpunit pest rspec minitest ctest karma jasmine nose2 cucumber behave k6 artillery newman " +
	"venv virtualenv http.server json.tool unittest doctest ensurepip build twine compileall py_compile zipfile tarfile calendar " +
	"bats tox nox coverage codecov lcov gcov gcovr " +
	// Builds, and runners of tasks that a file of the project names.
	"tsc tsup esbuild swc rollup webpack webpack-cli vite parcel next nuxt nuxi astro gatsby ng remix expo metro babel sass lessc postcss tailwindcss " +
	"javac kotlinc scalac swiftc ocaml ocamlc dune cabal stack nim crystal dart flutter xcodebuild meson ninja bazel bazelisk buck pants scons waf " +
	"autoconf automake autoreconf libtoolize aclocal ant sbt lein mill mvnw gradlew rake gulp grunt jake turbo mage mix rebar3 invoke inv doit " +
	"nx lerna changeset semantic-release standard-version cz goreleaser cross wasm-pack trunk protoc flatc thrift swagger openapi-generator " +
	"as ar ranlib strip objcopy objdump nm addr2line ldconfig pkg-config m4 bison flex yacc lex latex pdflatex xelatex lualatex latexmk bibtex typst " +
	"dot neato mmdc plantuml ffprobe identify exiftool pdftotext pdfinfo gs qpdf inkscape mediainfo sox svgo optipng jpegoptim cwebp rsvg-convert " +
	"hugo jekyll mkdocs sphinx-build zola pelican typedoc jsdoc doxygen godoc pydoc rustdoc " +
	// Servers, databases, clusters, networks, keys.
	"flask django-admin uvicorn gunicorn hypercorn celery alembic prisma drizzle-kit sequelize typeorm knex flyway liquibase migrate dbmate sqlx diesel goose " +
	"createdb dropdb createuser dropuser pg_restore pg_ctl pg_isready initdb mysqladmin mongodump mongorestore " +
	"kubectx kubens k9s stern kustomize kubeseal helmfile tilt ko crane skopeo dive ctop lazydocker act packer " +
	"ping6 traceroute tracepath mtr whois nmap ifconfig route ss netstat arp iwconfig nmcli certbot mkcert " +
	"ssh-add ssh-copy-id ssh-keyscan age keytool pass bw passwd htpasswd " +
	"git-lfs git-cliff tig gitk lazygit pre-commit lefthook husky degit cookiecutter copier create-react-app " +
	"tldextract rename wl-copy wl-paste xclip xsel pbcopy pbpaste fc-list fc-cache lp lpr screencapture"
