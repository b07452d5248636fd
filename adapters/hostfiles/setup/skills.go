package setup

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/skills"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// connectSkills writes a skill for each toolbox of the configuration at path into the folders of the hosts.
func (c *connecting) connectSkills(path string) error {
	if !slices.Contains([]string{"", string(setup.User), string(setup.Project)}, c.Scope) {
		return &UsageError{fmt.Errorf(`--scope: %q is neither "user" nor "project"`, c.Scope)}
	}
	if err := c.keepReaders(); err != nil {
		return err
	}
	configuration, err := c.Load(path, c.Scope == string(setup.User))
	if err != nil {
		return err
	}
	if err := checkChosen(c.Toolboxes, configuration.Catalog.WithSkills()); err != nil {
		return err
	}
	use := skills.Use{Configuration: configuration.Path}
	if c.Toolboxes != "" {
		use.Toolboxes, _ = config.ParseToolboxes(c.Toolboxes) // it was just checked
	}
	if use.Command, err = c.skillCommand(configuration); err != nil {
		return err
	}
	wanted, refused, skipped := skills.Of(configuration.Catalog.WithSkills(), use)
	if len(refused) > 0 {
		return &UsageError{fmt.Errorf("%w; %s renames a toolbox, and --toolbox chooses others", refused[0], c.command("move TOOLBOX NAME"))}
	}
	folders, err := c.skillFolders()
	if err != nil {
		return err
	}
	scope := setup.Scope(c.Scope)
	if scope == "" && configuration.Origin == config.FromWorkingDirectory {
		scope = setup.Project
	}
	return c.each(func(host hostfiles.Host, result *connection) error {
		var folder skills.Folder
		if folder.Path, folder.Project = host.SkillFolder(c.machine, scope); folder.Path == "" {
			return errors.New("this folder is no project, so it has no folder for skills")
		}
		use := use
		use.Host = host.ID
		planned, err := folders.Plan(folder, use, wanted, true)
		if err != nil {
			return err
		}
		if scope == setup.Project && !strings.HasPrefix(use.Command, skills.Program) {
			result.note("the skills name %s, which others in the project do not have: put mcp-workbench into your PATH and run the command again", use.Command)
		}
		for _, err := range skipped {
			result.note("%s", domain.LineText(err.Error()))
		}
		return c.makeSkills(host, folders, planned, result)
	})
}

// offerSkills asks whether the hosts that were just connected and read skills get one for each toolbox too, and writes them.
func (c *connecting) offerSkills(path string) error {
	var readers []hostfiles.Host
	var names []string
	for i, host := range c.hosts {
		if c.results[i].Written && host.ReadsSkills() {
			readers, names = append(readers, host), append(names, host.Name)
		}
	}
	if len(readers) == 0 || c.printErr != nil {
		return c.printErr
	}
	yes, err := c.terminal.Confirm("Also write a skill for each toolbox, so that the shell of " + strings.Join(names, ", ") + " can call its tools?")
	if err != nil || !yes {
		return err
	}
	connected, written := c.results, c.written
	defer func() { c.results, c.written, c.Skills = connected, written, false }() // the summary is about the entries
	c.written, c.Skills, c.hosts = nil, true, readers
	return c.connectSkills(path)
}

// keepReaders leaves out hosts that read no skills, and fails for one that was named.
func (c *connecting) keepReaders() error {
	for _, host := range c.hosts {
		if !host.ReadsSkills() && !c.EveryHost {
			return &UsageError{fmt.Errorf("%s reads no skills; %s adds the workbench to its file", host.Name, c.command("connect "+host.ID))}
		}
	}
	c.hosts = slices.DeleteFunc(c.hosts, func(host hostfiles.Host) bool { return !host.ReadsSkills() })
	if len(c.hosts) == 0 {
		return errors.New("no host on this machine reads skills")
	}
	return nil
}

// skillCommand returns the command by which a shell runs this program with the configuration.
func (c *connecting) skillCommand(configuration *config.Configuration) (string, error) {
	program, err := c.ownProgram()
	if err != nil {
		return "", err
	}
	command := domain.ShellWord(program)
	if found, err := exec.LookPath(skills.Program); err == nil && isSameFile(found, program) {
		command = skills.Program
	} else if !c.offersCopy {
		c.sayTemporaryPlace(program)
	}
	if configuration.Origin.IsNamed() && configuration.Path != config.UserPlace(c.Sources) {
		command += " --config " + domain.ShellWord(configuration.Path)
	}
	if c.Sources.AllowForeign {
		command += " " + config.AllowForeignFlag
	}
	return command, nil
}

func isSameFile(a, b string) bool {
	one, err := os.Stat(a)
	two, other := os.Stat(b)
	return err == nil && other == nil && os.SameFile(one, two)
}

// disconnectSkills removes the skills that were written for a host, wherever they are.
func (c *connecting) disconnectSkills(host hostfiles.Host, result *connection) error {
	folders, err := c.skillFolders()
	if err != nil {
		return err
	}
	used, err := folders.Used(func(use skills.Use) bool { return use.Host == host.ID })
	for _, folder := range used {
		var planned skills.Change
		if planned, err = folders.PlanRemoval(folder.Folder, host.ID); err == nil {
			err = c.makeSkills(host, folders, planned, result)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// makeSkills shows a planned change of skills and makes it after a yes.
func (c *connecting) makeSkills(host hostfiles.Host, folders *skills.Folders, planned skills.Change, result *connection) error {
	said := 0
	if !c.Skills {
		said = len(result.Notes) // by the change of the host's file
	}
	for _, path := range planned.Left {
		result.note("%s was changed by hand, so it stays as it is", path)
	}
	for _, name := range planned.Taken {
		result.note("the skill %s of a plugin is skipped: you have another skill of that name", name)
	}
	if len(planned.Shared) > 0 {
		result.note("the skills in %s stay, since they were also written for %s", planned.Folder, strings.Join(planned.Shared, ", "))
	}
	if c.Skills {
		result.File = planned.Folder
	}
	c.sayNotes(result.Notes[said:])
	change := skillChange(folders, planned)
	if len(planned.Files) == 0 {
		c.say("%s: nothing to change in %s", host.Name, planned.Folder)
		if c.DryRun {
			return c.printErr
		}
		return errors.Join(c.printErr, change.apply()) // which only notes who reads the skills
	}
	result.Changes = true
	for _, file := range planned.Files {
		result.Skills = append(result.Skills, file.Path)
	}
	result.Diff += change.diff()
	written, err := c.settle(change)
	if result.Written = written; written {
		c.say("%s: written. Start a new session in %s.", planned.Folder, host.Name)
	}
	return err
}
