// The registry of exchanges. Another exchange is a folder in src/venues/ and one line in VENUES. `venues/kind/venue-kind.ts` is the interface of an
// exchange before a connection. Files of the same name hold the same in each folder:
//   kind.ts                             the entry: options, facts, what commands need of the exchange, and what is special about it
//   open.ts                             connects a run to it, and the commands that only cancel, check or read
//   client.ts, public-client.ts         its clients for the kit
//   rules.ts                            its limits of time, its name in messages, and its hints
//   placing.ts                          places and cancels orders
//   snapshots.ts, account-snapshot.ts   its answers as domain types
//   canceller.ts, checks.ts             the requests of `kill` and of `doctor`, if they are not in open.ts
// The embedded exchange has kind.ts, open.ts and checks.ts in embedded/venue/, and a paper run in embedded/paper/: they share the other files of hosted/.
// The endpoints of hosted/ and local/ as typed calls are in venues/client/, and their shapes, which their servers share, in venues/wire/json/. The action
// schema that hosted/ signs with is chosen and compared in venues/published-schema/.
import { orWords } from '../base/text/phrases.ts';
import { paperOn, planPaper } from '../embedded/paper/kind.ts';
import { EMBEDDED } from '../embedded/venue/kind.ts';
import { CCXT_NAMES, ccxtKindNamed } from '../venues/ccxt/kind.ts';
import { HOSTED } from '../venues/hosted/kind.ts';
import { HYPERLIQUID } from '../venues/hyperliquid/kind.ts';
import { wrongFlags } from '../venues/kind/flags.ts';
import { moduleNamed, namesModule, type VenueModule } from '../venues/kind/modules/load-venue.ts';
import { kindOfFacts, loadedKind } from '../venues/kind/modules/module-kind.ts';
import type { KnownVenues, PartialFacts, PlanContext, VenueFacts, VenueFlags, VenueKind, VenuePlan } from '../venues/kind/venue-kind.ts';
import { LOCAL } from '../venues/local/kind.ts';

export class Venues implements KnownVenues {
  /** All kinds, including those that `--exchange` cannot name. */
  readonly all: readonly VenueKind[];
  readonly #paper: VenueKind;

  /** `kinds` in the order of the help; the first is the default of a run. */
  constructor(kinds: readonly VenueKind[]) {
    this.#paper = paperOn((name) => this.named(name)?.feed !== undefined, kinds.find(({ feed }) => feed !== undefined)?.name ?? '');
    this.all = [...kinds, this.#paper];
  }

  /** Returns a registry with one more kind. */
  with(kind: VenueKind): Venues {
    return new Venues([...this.all.filter((one) => one !== this.#paper), kind]);
  }

  /** Names that `--exchange` of a run takes. */
  get names(): readonly string[] {
    return [...this.all.filter(({ plan }) => plan !== undefined).map(({ name }) => name), CCXT_NAMES];
  }

  /** Names of the exchanges with real accounts, on which commands can act from outside the run. */
  get realNames(): readonly string[] {
    return this.all.filter((kind) => !isSimulated(kind)).map(({ name }) => name);
  }

  /** The names with their descriptions, for the help of a run. */
  get about(): string {
    return orWords(
      this.names
        .map((name) => [name, this.named(name)?.about])
        .map(([name, about]) => (about === undefined ? `${name}` : `${name} (${about})`)),
    );
  }

  /** The default exchange of a run. */
  get defaultKind(): VenueKind {
    return this.#first(() => true);
  }

  /** The default exchange for an address. */
  get defaultAtAddress(): VenueKind {
    return this.#first(({ exampleUrl }) => exampleUrl !== undefined);
  }

  /** The exchange at the address in these facts. */
  exchangeAt(facts: VenueFacts): VenueKind {
    const kind = this.of(facts);
    return this.of({ kind: kind.exchangeAt?.(facts) ?? kind.name, module: facts.module });
  }

  named(name: string): VenueKind | undefined {
    return this.all.find((kind) => kind.name === name) ?? ccxtKindNamed(name);
  }

  /** Returns the exchange with this name, or that of a module, whose code is loaded when it is needed. Throws if there is none. */
  of({ kind: name, module }: Pick<VenueFacts, 'kind' | 'module'>): VenueKind {
    const kind = this.named(name) ?? kindOfModule(name, module);
    if (kind === undefined) throw new Error(`no exchange is named ${name}`);
    return kind;
  }

  /** Returns the exchange that an option names: one of the program, or that of a module, which is loaded. */
  async chosen(name: string): Promise<VenueKind> {
    return this.named(name) ?? (namesModule(name) ? loadedKind(name) : this.of({ kind: name }));
  }

  get #withStreams(): string {
    return orWords(this.all.filter(({ streams }) => streams).map(({ name }) => name));
  }

  #first(is: (kind: VenueKind) => boolean): VenueKind {
    const kind = this.all.find(is);
    if (kind === undefined) throw new Error('the program knows no such exchange');
    return kind;
  }

  /** Throws a UserError if options contradict each other, or if the address or key is wrong. */
  async plan(flags: VenueFlags, context: PlanContext): Promise<VenuePlan> {
    const kind = await this.chosen(flags.exchange);
    if (flags.market !== undefined && kind !== EMBEDDED) throw wrongFlags('--market is for the embedded exchange alone', 'leave it out');
    if (flags.streams && (flags.paper || kind.streams !== true))
      throw wrongFlags(
        `--streams is for runs with an account on an exchange that has streams: ${this.#withStreams}`,
        'leave it out: the run polls',
      );
    if (flags.paper && kind.feed !== undefined) return planPaper(flags, { paper: this.#paper, of: kind });
    refusePaperOptions(flags);
    if (kind.plan === undefined) throw new Error(`--exchange cannot name ${kind.name}`);
    return kind.plan(flags, context);
  }

  /** Returns the kind whose run probably left this state directory. */
  guess(directory: string, known: PartialFacts): VenueKind | undefined {
    return this.all.find((kind) => kind.matchesDirectory?.(directory, known) === true);
  }
}

function kindOfModule(name: string, module: VenueModule | undefined): VenueKind | undefined {
  const found = module ?? (namesModule(name) ? moduleNamed(name) : undefined);
  return found && kindOfFacts({ kind: name, module: found });
}

/** True if the account is simulated in the run's process: no order can rest at an exchange, and no real money moves. */
export const isSimulated = ({ canceller }: VenueKind): boolean => canceller === undefined;

/** Throws a UserError if options of a simulated exchange are given for another one. */
function refusePaperOptions(flags: VenueFlags): void {
  const given = (['latency', 'queue', 'deposit', 'fees', 'record'] as const).filter((name) => flags[name] !== undefined);
  if (given.length === 0) return;
  throw wrongFlags(
    `--${given.join(', --')} is for --paper alone`,
    `leave it out, or start a paper run with --exchange hosted --url URL --paper`,
  );
}

/** The exchanges that the program knows. */
export const VENUES = new Venues([EMBEDDED, HOSTED, LOCAL, HYPERLIQUID]);
