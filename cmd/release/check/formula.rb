# Installs the formula of a release into a folder and runs its test, with the part of Homebrew's language that the
# formula uses. Archives come from the folder of the release, and their sums are checked.
#
#   ruby formula.rb dist/v1.0.0 FOLDER
require "digest"
require "fileutils"
require "pathname"

RELEASE = Pathname.new(ARGV[0])
PREFIX = Pathname.new(ARGV[1])

# Target is a folder of the prefix that files are installed in.
class Target < Pathname
  def install(files)
    mkpath
    files = { files => File.basename(files) } unless files.is_a?(Hash)
    files.each { |from, to| FileUtils.mv(from, self + to) }
  end
end

class Formula
  class << self
    attr_reader :values, :check

    %w[desc homepage license].each { |name| define_method(name) { |text| raise "#{name} is empty" if text.empty? } }

    %w[url sha256 version].each { |name| define_method(name) { |text = nil| text ? (@values ||= {})[name] = text : @values[name] } }

    def on_linux = yield
    def on_intel = yield
    def on_macos; end
    def on_arm; end

    def test(&block) = @check = block

    def inherited(formula)
      super
      @@formula = formula
    end

    def found = @@formula
  end

  { bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d",
    zsh_completion: "share/zsh/site-functions", fish_completion: "share/fish/vendor_completions.d" }.each do |name, folder|
    define_method(name) { Target.new(PREFIX + folder) }
  end

  def version = self.class.version
  def shell_output(command) = `#{command}`

  def assert_match(expected, actual)
    raise "the test of the formula: #{actual.inspect} has no #{expected.inspect}" unless actual.include?(expected)
  end
end

load (RELEASE + "homebrew/mcp-workbench.rb").to_s
formula = Formula.found
archive = RELEASE + File.basename(formula.url)
raise "#{archive} has another sum" unless Digest::SHA256.file(archive).hexdigest == formula.sha256

work = PREFIX + "work"
work.mkpath
system("tar", "-xzf", archive.to_s, "-C", work.to_s, exception: true)
Dir.chdir(work.children.first) { formula.new.install } # Homebrew enters the only folder of an archive
FileUtils.rm_r(work)
formula.new.instance_eval(&formula.check)
