// The file of a paper run's simulated account, `paper.jsonl` in the state directory: its terms and every command. A restart rebuilds the account from
// this file and the tapes. What fills its orders: `embedded/exchange/recorded/recorded-fills.ts`.

import type { Millis, VirtualClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import type { FeeRates } from '../../bot/domain/market.ts';
import { type Micros, toDecimal } from '../../bot/domain/numbers.ts';
import type { LatencySpec } from '../adapter/latency.ts';
import type { CancelOutcome, CancelRequest, PlaceOutcome, PlaceRequest } from '../exchange/commands.ts';
import { Exchange } from '../exchange/exchange.ts';
import type { QueueModel } from '../exchange/recorded/queue.ts';

const FILE = 'paper.jsonl';
const LINE_END = 10;

/** The assumptions about the exchange, fixed for the life of the account. */
export interface PaperTerms {
  readonly seed: string;
  readonly queue: QueueModel;
  readonly deposit: Micros;
  /** Absent for the fee brackets of the embedded exchange. */
  readonly fees?: FeeRates | undefined;
  /** The latency that the first process assumed; later processes may assume another. Absent for the measured one. */
  readonly latency?: LatencySpec | undefined;
  /** By market symbol: the file of its tape, relative to the state directory. */
  readonly tapes: Readonly<Record<string, string>>;
}

interface AccountHeader extends PaperTerms {
  readonly kind: 'account';
  readonly version: 1;
}

export interface PaperAccount {
  readonly terms: PaperTerms;
  /** The commands of earlier processes, oldest first. */
  readonly commands: readonly PaperCommand[];
}

/** Returns undefined if there is no account. Removes a truncated last line, whose command was not executed. */
export function readPaperAccount(disk: Disk): PaperAccount | undefined {
  const bytes = disk.read(FILE);
  const whole = bytes === undefined ? 0 : bytes.lastIndexOf(LINE_END) + 1;
  if (bytes !== undefined && whole < bytes.length) disk.replace(FILE, bytes.slice(0, whole));
  const [first, ...commands] = linesIn(bytes);
  if (first === undefined) return undefined;
  const { kind, version, ...terms } = readJson(first, JSON_LIMITS.state) as AccountHeader;
  if (kind === 'account' && version === 1)
    return { terms, commands: commands.map((line) => readJson(line, JSON_LIMITS.state) as PaperCommand) };
  const message = `${FILE} is not the account of a paper run of this version`;
  throw new UserError({ code: 'state', message, hint: 'choose another directory with --state DIR' });
}

/** Creates the file with these terms and no command. */
export function beginPaperAccount(disk: Disk, terms: PaperTerms): void {
  const header: AccountHeader = { kind: 'account', version: 1, ...terms };
  disk.replace(FILE, Buffer.from(`${JSON.stringify(header)}\n`));
}

/** Appends a command. Survives the end of the process, but not a power cut. */
export const recordCommand = (disk: Disk, command: PaperCommand): void => disk.append(FILE, Buffer.from(`${JSON.stringify(command)}\n`));

/** The terms on the command line; undefined ones are unchanged. */
export type RequestedTerms = { readonly [Name in 'deposit' | 'queue' | 'fees']: PaperTerms[Name] | undefined } & Pick<PaperTerms, 'tapes'>;

/** Throws a UserError if the account began with other terms, because its orders and fills would then be inconsistent. */
export function requireSameTerms(terms: PaperTerms, asked: RequestedTerms): void {
  const words: Readonly<Record<string, string>> = {
    deposit: String(toDecimal(terms.deposit)),
    queue: terms.queue.kind === 'probabilistic' ? `probabilistic:${terms.queue.power}` : terms.queue.kind,
    fees: terms.fees === undefined ? 'the brackets of the embedded exchange' : feesText(terms.fees),
    tapes: Object.entries(terms.tapes)
      .map(([market, file]) => `${market} in ${file}`)
      .join(', '),
  };
  const other = (['deposit', 'queue', 'fees', 'tapes'] as const).find(
    (name) => asked[name] !== undefined && JSON.stringify(asked[name]) !== JSON.stringify(terms[name]),
  );
  if (other === undefined) return;
  throw new UserError({
    code: 'state',
    message: `the paper account of this state directory began with other terms: its ${other === 'tapes' ? 'tapes are' : `${other} is`} ${words[other]}`,
    hint: `leave out ${other === 'tapes' ? 'a changed market or --record' : `--${other}`}, or begin another account with --state DIR`,
  });
}

const feesText = ({ makerPpm, takerPpm }: FeeRates): string => `${makerPpm / 100},${takerPpm / 100} basis points`;

/** Returns the complete lines. */
function linesIn(bytes: Uint8Array | undefined): readonly string[] {
  const lines = new TextDecoder().decode(bytes).split('\n');
  lines.pop();
  return lines;
}

/** A command and the exchange time at which it was executed. */
export type PaperCommand =
  | { readonly kind: 'place'; readonly at: Millis; readonly request: PlaceRequest }
  | { readonly kind: 'cancel'; readonly at: Millis; readonly request: CancelRequest };

/** An exchange that passes each command to `record`, once that is set, before executing it: a restart can repeat them on the recorded market. */
export class RecordingExchange extends Exchange {
  record: ((command: PaperCommand) => void) | undefined;

  override place(request: PlaceRequest): PlaceOutcome {
    this.record?.({ kind: 'place', at: this.now(), request });
    return super.place(request);
  }

  override cancel(request: CancelRequest): CancelOutcome {
    this.record?.({ kind: 'cancel', at: this.now(), request });
    return super.cancel(request);
  }
}

/** Executes recorded commands at their times. The rows up to the last of them must have been added. */
export function repeatCommands(commands: readonly PaperCommand[], { exchange, clock }: { exchange: Exchange; clock: VirtualClock }): void {
  for (const command of commands) {
    clock.at(command.at, () => {
      exchange.advanceTo(command.at);
      if (command.kind === 'place') exchange.place(command.request);
      else exchange.cancel(command.request);
    });
  }
}
