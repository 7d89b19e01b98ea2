// Finds the strategy that the user named, even if npm consumed the options because `--` was missing before them.
import { UserError } from '../base/errors.ts';
import { COMMAND } from '../base/package.ts';
import { suggestion } from '../base/text/phrases.ts';
import { BUILT_IN_STRATEGIES } from '../bot/strategy/loading/loader.ts';

/** Options that npm has too, so that their presence alone does not show that `--` was missing. */
const OF_NPM: readonly string[] = ['--json', '--key'];

/** What the user typed, as far as npm passed it on. */
interface TypedWords {
  /** The first argument that is not an option, and any further ones. */
  readonly name: string | undefined;
  readonly more: readonly string[];
  /** The value of `--strategy`. */
  readonly flag: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface KnownWords {
  readonly commands: readonly string[];
  /** The options of a run, as in `--for`. */
  readonly options: readonly string[];
}

/**
 * Returns the strategy; undefined if none was named. Of `npm run bot --strategy grid` only the name arrives, because npm consumes the option; that is
 * enough. Throws a UserError with the correct command if npm consumed other options.
 */
export function resolveStrategy({ name, more, flag, env }: TypedWords, { commands, options }: KnownWords): string | undefined {
  const taken = options.filter((option) => env[variableOf(option)] !== undefined);
  if (!taken.every((option) => OF_NPM.includes(option))) {
    const lost = name === undefined ? taken : taken.filter((option) => option !== '--strategy');
    if (lost.length > 0)
      throw wrongUse(`npm took ${lost.join(', ')} for its own options, because there was no -- before them`, HOW_TO_TYPE);
  }
  if (name === undefined) return flag;
  if (commands.includes(name)) throw wrongUse(`the command "${name}" goes before its options`, `type: ${COMMAND} ${name} …`);
  requireStrategy(name, commands);
  if (more.length > 0) throw wrongUse(`unexpected after "${name}": "${more.join(' ')}"`, HOW_TO_TYPE);
  if (flag !== undefined && flag !== name) throw wrongUse(`two strategies were given: "${flag}" and "${name}"`, HOW_TO_TYPE);
  return name;
}

/** Returns the variable in which npm passes an option that it consumed. */
const variableOf = (option: string): string => `npm_config_${option.slice(2).replaceAll('-', '_')}`;

/** Throws a UserError with the nearest name if `name` is not a built-in strategy, a path or a command. */
export function requireStrategy(name: string, commands: readonly string[]): void {
  if (BUILT_IN_STRATEGIES.some((known) => known === name) || /[./\\]/.test(name)) return;
  const hint = suggestion(name, [...BUILT_IN_STRATEGIES, ...commands], `strategies: ${BUILT_IN_STRATEGIES.join(', ')}; commands: --help`);
  throw wrongUse(`there is no command and no built-in strategy "${name}"`, hint);
}

const HOW_TO_TYPE = `type: ${COMMAND} --strategy grid --for 20s`;

const wrongUse = (message: string, hint: string): UserError => new UserError({ code: 'use', message, hint });
