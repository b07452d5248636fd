#!/bin/sh
# Installs MCP Workbench [[.Version.Number]] for the user who runs it:
#
#   curl -fsSL [[.Owner.Repository]]/releases/latest/download/install.sh | sh
#
# --prefix FOLDER installs below a folder other than ~/.local, such as /usr/local; --from URL downloads the
# archive from another place, such as a mirror; --help prints this. The SHA-256 sums are in this script. Nothing is changed
# before the archive is complete and verified. The program is linked statically, so it runs with glibc and
# musl.
set -eu

fail() {
	printf 'install.sh: %s\n' "$1" >&2
	exit 1
}

download() { # URL FILE
	if command -v curl >/dev/null 2>&1; then
		curl -fsSL --retry 2 -o "$2" "$1" 2>"$2.errors" || fail "cannot download $1: $(tail -n 1 "$2.errors"); look at the network and at HTTPS_PROXY"
	elif command -v wget >/dev/null 2>&1; then
		wget -q -O "$2" "$1" || fail "cannot download $1: look at the network and at https_proxy"
	else
		fail "there is neither curl nor wget to download $1"
	fi
}

sum() { # FILE
	if command -v sha256sum >/dev/null 2>&1; then
		sha256sum <"$1" | cut -d' ' -f1
	elif command -v shasum >/dev/null 2>&1; then
		shasum -a 256 <"$1" | cut -d' ' -f1
	else
		fail "there is neither sha256sum nor shasum to check the archive"
	fi
}

place() { # FILE TARGET MODE
	mkdir -p "$(dirname "$2")" || fail "cannot make the folder of $2: choose another with --prefix"
	cp "$1" "$2.new" && chmod "$3" "$2.new" && mv -f "$2.new" "$2" || {
		rm -f "$2.new"
		fail "cannot write $2: choose another folder with --prefix"
	}
}

main() {
	prefix="${HOME:-}/.local"
	from="[[.Owner.Repository]]/releases/download/[[.Version.Tag]]"
	while [ $# -gt 0 ]; do
		case "$1" in
		--prefix | --from)
			[ $# -ge 2 ] && [ -n "$2" ] || fail "$1 needs a value"
			if [ "$1" = --prefix ]; then prefix=$2; else from=${2%/}; fi
			shift 2
			;;
		--help | -h)
			echo "Installs MCP Workbench [[.Version.Number]]: install.sh [--prefix FOLDER] [--from URL]"
			echo "  --prefix FOLDER  installs below this folder instead of ~/.local"
			echo "  --from URL       downloads the archive from there, such as from a mirror"
			exit
			;;
		*) fail "unknown argument $1: there are --prefix FOLDER and --from URL" ;;
		esac
	done
	case "$prefix" in /.local) fail "HOME is not set: choose a folder with --prefix" ;; esac

	case "$(uname -s)" in
	Linux) system=linux ;;
	Darwin) system=darwin ;;
	*) fail "there is no program for $(uname -s): on Windows use install.ps1" ;;
	esac
	case "$(uname -m)" in
	x86_64 | amd64) architecture=amd64 ;;
	aarch64 | arm64) architecture=arm64 ;;
	*) fail "there is no program for $(uname -m)" ;;
	esac
	# A shell under Rosetta reports x86_64 on Apple silicon.
	if [ "$system" = darwin ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null || true)" = 1 ]; then architecture=arm64; fi
	case "$system-$architecture" in
	linux-amd64) wanted=[[.Sum (.Archive "linux" "amd64")]] ;;
	linux-arm64) wanted=[[.Sum (.Archive "linux" "arm64")]] ;;
	darwin-amd64) wanted=[[.Sum (.Archive "darwin" "amd64")]] ;;
	darwin-arm64) wanted=[[.Sum (.Archive "darwin" "arm64")]] ;;
	esac

	folder="mcp-workbench-[[.Version.Number]]-$system-$architecture"
	work=$(mktemp -d) || fail "cannot make a temporary folder"
	trap 'rm -rf "$work"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	download "$from/$folder.tar.gz" "$work/archive.tar.gz"
	found=$(sum "$work/archive.tar.gz")
	[ "$found" = "$wanted" ] || fail "$folder.tar.gz has the SHA-256 sum $found, not $wanted: it is cut, changed or of another version. Nothing was installed"
	tar -xzf "$work/archive.tar.gz" -C "$work" || fail "cannot unpack $folder.tar.gz"

	place "$work/$folder/mcp-workbench" "$prefix/bin/mcp-workbench" 755
	place "$work/$folder/man/mcp-workbench.1" "$prefix/share/man/man1/mcp-workbench.1" 644
	place "$work/$folder/completions/mcp-workbench.bash" "$prefix/share/bash-completion/completions/mcp-workbench" 644
	place "$work/$folder/completions/_mcp-workbench" "$prefix/share/zsh/site-functions/_mcp-workbench" 644
	place "$work/$folder/completions/mcp-workbench.fish" "$prefix/share/fish/vendor_completions.d/mcp-workbench.fish" 644

	printf 'Installed MCP Workbench %s as %s.\n' "[[.Version.Number]]" "$prefix/bin/mcp-workbench"
	case ":$PATH:" in
	*":$prefix/bin:"*)
		other=$(command -v mcp-workbench || true)
		[ "$other" = "$prefix/bin/mcp-workbench" ] || printf 'note: your shell finds %s first. Remove it, or change the PATH.\n' "$other"
		;;
	*) printf 'note: %s is not in your PATH. Add it, here and in the profile of your shell:\n  export PATH="%s:$PATH"\n' "$prefix/bin" "$prefix/bin" ;;
	esac
	printf "Next: mcp-workbench init\n"
}

# An incompletely downloaded script does not reach this line.
main "$@"
