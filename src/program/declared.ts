// Declares a command once: its name, arguments, options and notes. `--help`, the parser, and the types of what the command gets are derived from it.
// `commands.ts` lists the commands; each is declared in `commands/NAME/command.ts`.
import { Argument, type Command, Option } from 'commander';
import { UserError } from '../base/errors.ts';
import { suggestion } from '../base/text/phrases.ts';
import type { ExitCode, SetExitCode } from './exit-codes.ts';
import type { Host } from './host.ts';
import { keepHeapSmall } from './process/heap.ts';

/**
 * Reads a value from its text. `option` is the name of the option or argument, `before` the value of an earlier one on the same command line. Throws a
 * UserError `option` for a wrong value.
 */
export type Read<T> = (text: string, option: string, before?: T) => T;
type ReadAny = (text: string, option: string, before?: never) => unknown;

type Camel<S> = S extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : S;
type NameOf<S> = S extends `${infer Name} ${string}` ? Name : S;
export type KeyOf<S> = NameOf<S> extends `--no-${infer Name}` ? Camel<Name> : NameOf<S> extends `--${infer Name}` ? Camel<Name> : never;
export type ValueOf<S, T> = S extends `${string}...>`
  ? readonly T[]
  : S extends `${string}<${string}`
    ? T
    : S extends `${string}[${string}`
      ? T | true
      : S extends `--no-${string}`
        ? boolean
        : true;

/** How a fleet file gives an option to a run. */
interface FleetKey {
  /** The key, if it is not the name of the option. */
  readonly key?: string;
  /**
   * Set for an option without a value that shares its key with others: the option is given if the key has this value. With
   * `{ key: 'foreign', value: 'cancel' }`, the line `foreign: cancel` in the file gives `--cancel-foreign`.
   */
  readonly value?: string;
  /** True if a value names a file; its path is relative to the fleet file. */
  readonly isFile?: (text: string) => boolean;
}

/** An option of a command, from which its parser and its line in --help are made. `F` is the part of the flags that it sets. */
export interface DeclaredOption<F = unknown> {
  /** As in --help: `--name`, `--name <value>`, `--name [value]`, `--name <value...>`. */
  readonly flags: string;
  readonly about: string;
  readonly preset?: unknown;
  /** The default in --help, if it is not `preset`. */
  readonly shown?: string | undefined;
  readonly isNeeded?: true;
  /** True if --help has no line for it. */
  readonly isHidden?: true;
  /** Set if a fleet file may give it to one of its runs. */
  readonly fleet?: FleetKey;
  /** Reads its value, or each of its values; absent if these are texts. */
  readonly read?: ReadAny | undefined;
  /** For the compiler alone. */
  readonly sets?: F | undefined;
}

/** Declares an option without a default: absent if it is not given; `--no-name` is always a boolean. */
export function option<const S extends string, T = string>(
  flags: S,
  about: string,
  read?: Read<T>,
): DeclaredOption<S extends `--no-${string}` ? Readonly<Record<KeyOf<S>, boolean>> : { readonly [K in KeyOf<S>]?: ValueOf<S, T> }>;
/** Declares an option with the default `preset`, which --help shows as `shown`. */
export function option<const S extends string, T>(
  flags: S,
  about: string,
  read: Read<T>,
  preset: NoInfer<T>,
  shown?: string,
): DeclaredOption<Readonly<Record<KeyOf<S>, ValueOf<S, T>>>>;
export function option(flags: string, about: string, read?: Read<unknown>, preset?: unknown, shown?: string): DeclaredOption<object> {
  return { flags, about, read, preset, shown };
}

/** Declares an option that must be given. */
export const needed = <const S extends string, T = string>(
  flags: S,
  about: string,
  read?: Read<T>,
): DeclaredOption<Readonly<Record<KeyOf<S>, ValueOf<S, T>>>> => ({ flags, about, read, isNeeded: true });

/** Returns the option without a line in --help. */
export const hidden = <F>(declared: DeclaredOption<F>): DeclaredOption<F> => ({ ...declared, isHidden: true });

/** Returns the option with other words in --help; `read`, if passed, replaces its parser. */
export const worded = <F>(declared: DeclaredOption<F>, about: string, read: DeclaredOption['read'] = declared.read): DeclaredOption<F> => ({
  ...declared,
  about,
  read,
});

/** Returns the option as one that a fleet file may give to a run. */
export const perRun = <F>(declared: DeclaredOption<F>, fleet: FleetKey = {}): DeclaredOption<F> => ({ ...declared, fleet });

/** Returns the option of the library commander. */
function optionOf({ flags, about, read, preset, shown, isNeeded, isHidden }: DeclaredOption): Option {
  const built = valued(new Option(flags, about), flags, read).default(preset, shown);
  return built.makeOptionMandatory(isNeeded === true).hideHelp(isHidden === true);
}

/** Returns the option as a person types it: `--name`. */
export const longOf = ({ flags }: DeclaredOption): string => flags.split(' ')[0]!;

/** Returns the name under which a command gets the option. */
export const nameOf = ({ flags }: DeclaredOption): string => new Option(flags).attributeName();

type ArgumentOf<S, T> = S extends `${string}...${string}` ? readonly T[] : S extends `[${string}` ? T | undefined : T;

/** `V` is the type of the value. */
export interface DeclaredArgument<V = unknown> {
  readonly build: () => Argument;
  /** For the compiler alone. */
  readonly value?: V;
}

/** Declares an argument: `[name]`, `<name>` or `<names...>`. */
export function argument<const S extends string>(name: S, about?: string): DeclaredArgument<ArgumentOf<S, string>>;
export function argument<const S extends string, T>(name: S, about: string, read: Read<T>): DeclaredArgument<ArgumentOf<S, T>>;
export function argument<T>(name: `[${string}]`, about: string, read: Read<T>, preset: NoInfer<T>): DeclaredArgument<T>;
export function argument(name: string, about?: string, read?: Read<unknown>, preset?: unknown): DeclaredArgument {
  return { build: () => valued(new Argument(name, about), name, read).default(preset) };
}

/** Sets the parser of a value; a list collects its values. */
function valued<O extends Option | Argument>(built: O, text: string, read: ReadAny | undefined): O {
  const [name = ''] = text.split(' ');
  if (text.includes('...'))
    built.argParser((typed, before: readonly unknown[] | undefined) => [...(before ?? []), read?.(typed, name) ?? typed]);
  else if (read !== undefined) built.argParser((typed, before: unknown) => read(typed, name, before as never));
  return built;
}

/** Reads a text as it is. */
export const asText: Read<string> = (typed) => typed;

type Arguments = readonly DeclaredArgument[];
type Options = readonly DeclaredOption[];

export interface DeclaredCommand<A extends Arguments = Arguments, O extends Options = Options> {
  readonly name: string;
  /** Absent if --help does not list the command. */
  readonly about?: string | undefined;
  readonly usage?: string | undefined;
  readonly args?: A | undefined;
  readonly options?: O | undefined;
  /** Text after the options in --help. */
  readonly notes?: string | undefined;
  /** Set if it runs for long, so that its memory must stay small (`keepHeapSmall`). */
  readonly runsLong?: 'trades' | 'serves' | 'plays';
  /** True if it is the command of a line without a command. */
  readonly isDefault?: true;
  /** Throws for options that are wrong together, before the command is loaded. */
  check?(command: Command, flags: FlagsIn<O>): void;
}

/** Returns the declaration unchanged: the call only infers its types. */
export const defineCommand = <const A extends Arguments = readonly [], const O extends Options = readonly []>(
  declared: DeclaredCommand<A, O>,
): DeclaredCommand<A, O> => declared;

type FlagIn<D> = D extends DeclaredOption<infer F> ? F : never;
/** The intersection of the members of a union. */
type Intersection<F> = (F extends unknown ? (one: F) => void : never) extends (all: infer All) => void ? All : never;
/** The flags of options, as one type. */
export type FlagsIn<O extends Options> = { readonly [K in keyof Intersection<FlagIn<O[number]>>]: Intersection<FlagIn<O[number]>>[K] };
/** The flags that a declared command gets. */
export type FlagsOf<C> = C extends DeclaredCommand<Arguments, infer O> ? FlagsIn<O> : never;
type ValuesOf<A extends Arguments> = { -readonly [I in keyof A]: A[I] extends DeclaredArgument<infer V> ? V : never };

/** What a command runs: it gets its arguments, its flags if it has options, and the host. */
type Action<A extends Arguments, O extends Options> = (...values: ActionArguments<A, O>) => Promise<ExitCode>;
type ActionArguments<A extends Arguments, O extends Options> = O extends readonly []
  ? [...ValuesOf<A>, Host]
  : [...ValuesOf<A>, FlagsIn<O>, Host];

/** Adds a command and its subcommands to a program. */
export type AddCommand = (program: Command, host: Host, setExitCode: SetExitCode) => void;

/**
 * Returns a function that adds a declared command. `load` imports the modules of the command only when it runs, so that help and errors of the command line
 * appear at once.
 */
export const command =
  <const A extends Arguments, const O extends Options>(
    declared: DeclaredCommand<A, O> | ((host: Host) => DeclaredCommand<A, O>),
    load: (program: Command) => Promise<Action<A, O>>,
    subcommands: readonly AddCommand[] = [],
  ): AddCommand =>
  (program, host, setExitCode) => {
    const declaration = typeof declared === 'function' ? declared(host) : declared;
    const { name, about, usage, args = [], options = [], notes } = declaration;
    const built = program
      .command(name, { hidden: about === undefined, isDefault: declaration.isDefault === true })
      .enablePositionalOptions();
    if (about !== undefined) built.description(about);
    if (usage !== undefined) built.usage(usage);
    for (const { build } of args) built.addArgument(build());
    for (const one of options) built.addOption(optionOf(one));
    if (notes !== undefined) built.addHelpText('after', notes);
    built.action((...parsed: unknown[]) => {
      const flags = built.opts<FlagsIn<O>>();
      declaration.check?.(built, flags);
      if (declaration.runsLong !== undefined) keepHeapSmall(declaration.runsLong);
      const values = [...parsed.slice(0, args.length), ...(options.length === 0 ? [] : [flags]), host] as ActionArguments<A, O>;
      return setExitCode(load(program).then((run) => run(...values)));
    });
    for (const add of subcommands) add(built, host, setExitCode);
  };

/** Returns a function that adds a command that consists of subcommands only. */
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
      const names = commandNames(group);
      if (typed === undefined) throw wrongCommand(`"${name}" needs a command`, `available: ${names.join(', ')}`);
      throw wrongCommand(`"${name}" has no command "${typed}"`, suggestion(typed, names));
    });
    for (const add of subcommands) add(group, host, setExitCode);
  };

const wrongCommand = (message: string, hint: string): UserError => new UserError({ code: 'command', message, hint });

/** Returns the names of the visible commands of a program or a group. */
export const commandNames = (program: Command): readonly string[] =>
  program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name())
    .filter((name) => name !== 'help');
