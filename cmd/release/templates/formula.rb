class [[.ClassName]] < Formula
  desc "[[.Owner.Summary]]"
  homepage "[[.Owner.Repository]]"
  version "[[.Version.Number]]"
  license "MIT"

  on_macos do
    on_arm do
      url "[[.Download (.Archive "darwin" "arm64")]]"
      sha256 "[[.Sum (.Archive "darwin" "arm64")]]"
    end
    on_intel do
      url "[[.Download (.Archive "darwin" "amd64")]]"
      sha256 "[[.Sum (.Archive "darwin" "amd64")]]"
    end
  end

  on_linux do
    on_arm do
      url "[[.Download (.Archive "linux" "arm64")]]"
      sha256 "[[.Sum (.Archive "linux" "arm64")]]"
    end
    on_intel do
      url "[[.Download (.Archive "linux" "amd64")]]"
      sha256 "[[.Sum (.Archive "linux" "amd64")]]"
    end
  end

  def install
    bin.install "mcp-workbench"
    man1.install "man/mcp-workbench.1"
    bash_completion.install "completions/mcp-workbench.bash" => "mcp-workbench"
    zsh_completion.install "completions/_mcp-workbench"
    fish_completion.install "completions/mcp-workbench.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/mcp-workbench version")
  end
end
