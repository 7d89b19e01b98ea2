// Helpers for registering commands: groups of subcommands, and the names of registered commands.
import type { Command } from 'commander';
import { UserError } from '../base/errors.ts';
import { suggestion } from '../base/text/nearest.ts';
import type { AddCommand } from './declared.ts';

/** Returns what adds a command that consists of subcommands only. */
export const addGroup =
  (name: string, about: string, subcommands: readonly AddCommand[]): AddCommand =>
  (program, host, setExitCode) => {
    const group = program
      .command(name)
      .description(about)
      .argument('[command]')
      .usage('[command]')
      .allowExcessArguments()
      .allowUnknownOption();
    group.action((typed: string | undefined) => {
      if (typed === 'help') group.help();
      const known = commandNames(group);
      if (typed === undefined) throw wrongCommand(`"${name}" needs a command`, `available: ${known.join(', ')}`);
      throw wrongCommand(`"${name}" has no command "${typed}"`, suggestion(typed, known));
    });
    for (const add of subcommands) add(group, host, setExitCode);
  };

const wrongCommand = (message: string, hint: string): UserError => new UserError({ code: 'command', message, hint });

/** The names of the visible commands of a program or a group. */
export const commandNames = (program: Command): readonly string[] =>
  program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name())
    .filter((name) => name !== 'help');
