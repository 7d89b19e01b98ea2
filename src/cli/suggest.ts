// A word or an option that was mistyped is told before what is missing because of it.
import type { Command, Option } from 'commander';
import { requireStrategy } from './resolve-strategy.ts';

/** For a program whose commands are all there. */
export function suggestNearestFirst(program: Command, commands: readonly string[]): void {
  const needed = optionsOf(program).filter(({ mandatory }) => mandatory);
  for (const option of needed) option.makeOptionMandatory(false); // commander asks for these before it looks at what was typed
  program
    .hook('preSubcommand', ({ args: [first = '-'] }, command) => {
      if (first !== command.name() && !first.startsWith('-')) requireStrategy(first, commands); // the default command was chosen
    })
    .hook('preAction', (_, command) => {
      const missing = command.options.find(
        (option) => needed.includes(option) && command.getOptionValue(option.attributeName()) === undefined,
      );
      if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
    });
}

const optionsOf = ({ options, commands }: Command): readonly Option[] => [...options, ...commands.flatMap(optionsOf)];
