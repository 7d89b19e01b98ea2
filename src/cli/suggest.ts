// Reports a mistyped command or option before reporting options as missing.
import type { Command, Option } from 'commander';
import { requireStrategy } from './resolve-strategy.ts';

/** Call it after all commands are registered. */
export function suggestNearestFirst(program: Command, commands: readonly string[]): void {
  const needed = optionsOf(program).filter(({ mandatory }) => mandatory);
  for (const option of needed) option.makeOptionMandatory(false); // commander would check these before the words that were typed
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
