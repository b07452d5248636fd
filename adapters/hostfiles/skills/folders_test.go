package skills_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/skills"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Skills in the folder of a host", func() {
	var (
		home    string
		folder  skills.Folder
		folders *skills.Folders
		use     = skills.Use{Host: "codex", Configuration: "/home/me/workbench-config.json", Command: "mcp-workbench"}
	)
	BeforeEach(func() {
		home = spec.Must(filepath.EvalSymlinks(GinkgoT().TempDir()))
		folder = skills.Folder{Path: filepath.Join(home, ".agents", "skills")}
		folders = skills.NewFolders(filepath.Join(home, "state"))
	})
	skill := func(name, text string) skills.Skill {
		return skills.Skill{Name: name, Files: []skills.File{{Path: "SKILL.md", Text: []byte(text)}}}
	}
	write := func(use skills.Use, wanted ...skills.Skill) skills.Change {
		GinkgoHelper()
		change := spec.Must(folders.Plan(folder, use, wanted, true))
		Expect(folders.Apply(change)).To(Succeed())
		return change
	}
	remove := func(host string) skills.Change {
		GinkgoHelper()
		change := spec.Must(folders.PlanRemoval(folder, host))
		Expect(folders.Apply(change)).To(Succeed())
		return change
	}
	put := func(path, text string) {
		GinkgoHelper()
		path = filepath.Join(home, path)
		Expect(os.MkdirAll(filepath.Dir(path), 0o755)).To(Succeed())
		Expect(os.WriteFile(path, []byte(text), 0o644)).To(Succeed())
	}
	// files returns the texts of all files in the home folder, without the state, and empty folders.
	files := func() map[string]string {
		GinkgoHelper()
		found := map[string]string{}
		Expect(filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
			name, _ := filepath.Rel(home, path)
			switch {
			case err != nil:
				return err
			case name == "state":
				return filepath.SkipDir
			case entry.Type()&fs.ModeSymlink != 0:
				return nil
			case entry.IsDir():
				if entries, err := os.ReadDir(path); err != nil || len(entries) > 0 || path == home {
					return err
				}
				found[name+"/"] = ""
				return nil
			}
			text, err := os.ReadFile(path)
			found[filepath.ToSlash(name)] = string(text)
			return err
		})).To(Succeed())
		return found
	}

	It("are written, and removed with all that was created for them", func() {
		change := write(use, skill("workbench-code", "code"), skill("workbench-web", "web"))
		Expect(change.Files).To(HaveLen(2))
		Expect(files()).To(Equal(map[string]string{
			".agents/skills/workbench-code/SKILL.md": "code", ".agents/skills/workbench-web/SKILL.md": "web",
		}))

		remove("codex")
		Expect(files()).To(BeEmpty())
		Expect(os.ReadDir(filepath.Join(home, "state"))).To(BeEmpty())
	})

	It("are written with all their files, whose mode says whether they run", func() {
		plugin := skill("review", "see scripts/run.sh")
		plugin.Files = append(plugin.Files, skills.File{Path: "scripts/run.sh", Text: []byte("true"), IsExecutable: true})
		write(use, plugin)

		if runtime.GOOS != "windows" {
			Expect(spec.Must(os.Stat(filepath.Join(folder.Path, "review", "scripts", "run.sh"))).Mode().Perm()).To(Equal(fs.FileMode(0o755)))
		}
		plugin.Files = plugin.Files[:1]
		write(use, plugin)
		Expect(files()).To(Equal(map[string]string{".agents/skills/review/SKILL.md": "see scripts/run.sh"}))
	})

	It("follow the toolboxes: what is no longer wanted is removed, and nothing changes for the same", func() {
		write(use, skill("workbench-code", "code"), skill("workbench-web", "web"))
		write(use, skill("workbench-code", "new code"))
		Expect(files()).To(Equal(map[string]string{".agents/skills/workbench-code/SKILL.md": "new code"}))

		Expect(spec.Must(folders.Plan(folder, use, []skills.Skill{skill("workbench-code", "new code")}, true)).IsEmpty()).To(BeTrue())
	})

	It("of the user stay as they are, also beside those of the workbench", func() {
		put(".agents/skills/mine/SKILL.md", "mine")
		put(".agents/skills/workbench-code/notes.md", "my notes")
		write(use, skill("workbench-code", "code"))
		remove("codex")

		Expect(files()).To(Equal(map[string]string{".agents/skills/mine/SKILL.md": "mine", ".agents/skills/workbench-code/notes.md": "my notes"}))
	})

	It("are not written over one of the user, and then none is", func() {
		put(".agents/skills/workbench-web/SKILL.md", "my own")

		_, err := folders.Plan(folder, use, []skills.Skill{skill("workbench-code", "code"), skill("workbench-web", "web")}, true)
		Expect(err).To(MatchError(skills.ErrTaken))
		Expect(err).To(MatchError(ContainSubstring(filepath.Join("workbench-web", "SKILL.md"))))
		Expect(files()).To(HaveLen(1))
	})

	It("that were changed by hand are left alone, named, and belong to the user afterwards", func() {
		write(use, skill("workbench-code", "code"), skill("workbench-web", "web"))
		put(".agents/skills/workbench-code/SKILL.md", "changed")

		change := write(use, skill("workbench-code", "new"), skill("workbench-web", "new"))
		changed := filepath.Join(folder.Path, "workbench-code", "SKILL.md")
		Expect(change.Left).To(Equal([]string{changed}))
		Expect(files()).To(HaveKeyWithValue(".agents/skills/workbench-code/SKILL.md", "changed"))

		Expect(remove("codex").Left).To(Equal([]string{changed}))
		Expect(files()).To(Equal(map[string]string{".agents/skills/workbench-code/SKILL.md": "changed"}))
	})

	It("that were removed by hand come back only if the user asks for them", func() {
		write(use, skill("workbench-code", "code"))
		Expect(os.RemoveAll(filepath.Join(folder.Path, "workbench-code"))).To(Succeed())

		Expect(spec.Must(folders.Plan(folder, use, []skills.Skill{skill("workbench-code", "code")}, false)).Files).To(BeEmpty())
		write(use, skill("workbench-code", "code"))
		Expect(files()).To(HaveLen(1))
	})

	It("stay while another host reads them there", func() {
		other := use
		other.Host = "gemini"
		write(use, skill("workbench-code", "code"))
		Expect(write(other, skill("workbench-code", "code")).Files).To(BeEmpty())

		Expect(remove("codex").Shared).To(Equal([]string{"gemini"}))
		Expect(files()).To(HaveLen(1))
		remove("gemini")
		Expect(files()).To(BeEmpty())
	})

	It("of another configuration are not touched", func() {
		other := use
		other.Configuration = "/home/me/other.json"
		write(use, skill("workbench-code", "code"))
		write(other, skill("workbench-web", "web"))
		write(use)

		Expect(files()).To(Equal(map[string]string{".agents/skills/workbench-web/SKILL.md": "web"}))
		Expect(spec.Must(folders.Used(func(u skills.Use) bool { return u.Configuration == other.Configuration }))).To(ConsistOf(skills.Used{Folder: folder, Uses: []skills.Use{other}}))
	})

	It("are as before after a failure in the middle", func() {
		write(use, skill("workbench-code", "code"))
		change := spec.Must(folders.Plan(folder, use, []skills.Skill{skill("workbench-a", "a"), skill("workbench-code", "new"), skill("workbench-z", "z")}, true))
		put(".agents/skills/workbench-z/SKILL.md", "written meanwhile")

		Expect(folders.Apply(change)).To(MatchError(safefile.ErrChanged))
		Expect(files()).To(Equal(map[string]string{
			".agents/skills/workbench-code/SKILL.md": "code", ".agents/skills/workbench-z/SKILL.md": "written meanwhile",
		}))
		remove("codex")
		Expect(files()).To(HaveLen(1))
	})

	It("are those of the workbench after a command that was killed between the record and the file", func() {
		write(use, skill("workbench-code", "code"))
		write(use, skill("workbench-code", "new"))
		put(".agents/skills/workbench-code/SKILL.md", "code") // as if the second text had not arrived

		remove("codex")
		Expect(files()).To(BeEmpty())
	})

	Context("behind links", Label("links"), func() {
		BeforeEach(func() {
			if runtime.GOOS == "windows" {
				Skip("links need a privilege there")
			}
		})

		It("are written through the user's own folder", func() {
			put("dotfiles/skills/mine/SKILL.md", "mine")
			Expect(os.MkdirAll(filepath.Dir(folder.Path), 0o755)).To(Succeed())
			Expect(os.Symlink(filepath.Join(home, "dotfiles", "skills"), folder.Path)).To(Succeed())
			write(use, skill("workbench-code", "code"))

			Expect(files()).To(HaveKeyWithValue("dotfiles/skills/workbench-code/SKILL.md", "code"))
			remove("codex")
			Expect(spec.Must(os.Lstat(folder.Path)).Mode() & fs.ModeSymlink).NotTo(BeZero())
		})

		It("are not written where a skill, its file or the folder leads elsewhere", func() {
			put("elsewhere/SKILL.md", "secret")
			Expect(os.MkdirAll(folder.Path, 0o755)).To(Succeed())
			link := filepath.Join(folder.Path, "workbench-code")
			Expect(os.Symlink(filepath.Join(home, "elsewhere"), link)).To(Succeed())
			_, err := folders.Plan(folder, use, []skills.Skill{skill("workbench-code", "code")}, true)
			Expect(err).To(MatchError(skills.ErrElsewhere))

			Expect(os.Remove(link)).To(Succeed())
			Expect(os.MkdirAll(link, 0o755)).To(Succeed())
			Expect(os.Symlink(filepath.Join(home, "elsewhere", "SKILL.md"), filepath.Join(link, "SKILL.md"))).To(Succeed())
			_, err = folders.Plan(folder, use, []skills.Skill{skill("workbench-code", "code")}, true)
			Expect(err).To(MatchError(skills.ErrElsewhere))

			Expect(os.RemoveAll(folder.Path)).To(Succeed())
			Expect(os.Symlink(filepath.Join(home, "nothing"), folder.Path)).To(Succeed())
			_, err = folders.Plan(folder, use, nil, true)
			Expect(err).To(MatchError(skills.ErrElsewhere))
		})

		It("are not written out of a project", func() {
			project := filepath.Join(home, "project")
			Expect(os.MkdirAll(filepath.Join(project, ".agents"), 0o755)).To(Succeed())
			Expect(os.Symlink(home, filepath.Join(project, ".agents", "skills"))).To(Succeed())

			_, err := folders.Plan(skills.Folder{Path: filepath.Join(project, ".agents", "skills"), Project: project}, use, nil, true)
			Expect(err).To(MatchError(skills.ErrElsewhere))
			Expect(err).To(MatchError(ContainSubstring("out of the project")))
		})
	})

	It("are not written into a folder that is read-only or a file", func() {
		put("blocked", "")
		_, err := folders.Plan(skills.Folder{Path: filepath.Join(home, "blocked", "skills")}, use, nil, true)
		Expect(err).To(MatchError(ContainSubstring("is not a folder")))
		if runtime.GOOS == "windows" {
			return
		}
		Expect(os.MkdirAll(folder.Path, 0o755)).To(Succeed())
		Expect(os.Chmod(folder.Path, 0o555)).To(Succeed())
		_, err = folders.Plan(folder, use, nil, true)
		Expect(err).To(MatchError(ContainSubstring("is read-only")))
	})
})
