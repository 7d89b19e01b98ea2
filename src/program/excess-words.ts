// Reports a mistyped command, and a word without its option, before it reports options as missing.
import type { Command, Option } from 'commander';
import { UserError } from '../base/errors.ts';
import { BUILT_IN_STRATEGIES } from '../bot/strategy/loading/loader.ts';
import { requireStrategy } from './resolve-strategy.ts';

/** Adds these checks to a program. Call it after all commands are registered. */
export function reportExcessFirst(program: Command, commands: readonly string[]): void {
  const needed = optionsOf(program).filter(({ mandatory }) => mandatory);
  for (const option of needed) option.makeOptionMandatory(false); // commander would check these before the words that were typed
  allowExcess(program);
  program
    .hook('preSubcommand', ({ args: [first = '-'] }, command) => {
      if (first !== command.name() && !first.startsWith('-')) requireStrategy(first, commands); // the default command was chosen
    })
    .hook('preAction', (_, command) => {
      refuseExcess(command);
      const missing = command.options.find(
        (option) => needed.includes(option) && command.getOptionValue(option.attributeName()) === undefined,
      );
      if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
    });
}

const optionsOf = ({ options, commands }: Command): readonly Option[] => [...options, ...commands.flatMap(optionsOf)];

/** Makes commander accept words that are too many: `refuseExcess` refuses them, and names the option that is missing before them. */
function allowExcess(command: Command): void {
  command.allowExcessArguments();
  command.commands.forEach(allowExcess);
}

/** Throws a UserError for a word after the arguments of a command. */
function refuseExcess(command: Command): void {
  const { args, registeredArguments: expected } = command;
  const word = args[expected.length];
  const isGroup = command.commands.length > 0 && expected.length > 0; // `addGroup` itself reports that there is no such command
  if (word === undefined || isGroup || expected.at(-1)?.variadic === true) return;
  const option = FLAG_OF_WORD.find(([flag, isMeant]) => isMeant(word) && command.options.some(({ long }) => long === flag))?.[0];
  throw new UserError({
    code: 'use',
    message: `too many arguments for '${command.name()}': "${word}"`,
    hint: option === undefined ? '--help lists commands and options' : `did you mean ${option} ${word}?`,
  });
}

/** The options that a word without an option may be meant for, by its form. */
const FLAG_OF_WORD: readonly (readonly [flag: string, isMeant: (word: string) => boolean])[] = [
  ['--strategy', (word) => /\.[cm]?[jt]s$/.test(word) || BUILT_IN_STRATEGIES.some((name) => name === word)],
  ['--tape', (word) => word.endsWith('.tape')],
  ['--config', (word) => /\.ya?ml$/.test(word)],
  ['--param', (word) => /^\w+=/.test(word)],
];
