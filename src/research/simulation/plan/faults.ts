// The kinds of faults, and a fault as plain data: kind, time and scope, so that a plan can be printed, shrunk and kept.
import type { Millis } from '../../../base/clock.ts';
import type { HttpRequest } from '../../../base/transport/transport.ts';

/** The endpoint of the exchange that a network fault affects. */
export const PATHS = ['action', 'account', 'trades', 'book', 'live', 'time', 'user', 'info'] as const;
export type Path = (typeof PATHS)[number];

/** The kinds of faults by class; figures are counted by class. */
export const KINDS = {
  network: [
    'dropRequest',
    'dropReply',
    'delayRequest',
    'delayReply',
    'duplicate',
    'retryProxy',
    'refuse',
    'partition',
    'truncate',
    'corrupt',
    'status',
    'stale',
    'startFails',
    'shifted',
    'retryAfter',
    'limited',
  ],
  exchange: [
    'restart',
    'stall',
    'leap',
    'backward',
    'evict',
    'shorten',
    'freeze',
    'reject',
    'lag',
    'queue',
    'shock',
    'fees',
    'relist',
    'rollback',
    'shortAccount',
    'decimals',
  ],
  disk: ['diskFull', 'diskBroken', 'syncFails', 'stateLost'],
  process: [
    'crash',
    'crashOnCall',
    'crashBeforePost',
    'crashAfterPost',
    'crashOnReply',
    'crashInRecovery',
    'pause',
    'clockStep',
    'sleep',
    'wallStep',
    'throws',
    'rejects',
  ],
  /**
   * `second`: a second process is started on the same state. `latch`: somebody sets the kill switch; the name is that of its file. `hand`: a person trades
   * on the account. `rival`: a program of somebody else does. Draws of seeds and recorded failures depend on these names.
   */
  people: ['second', 'latch', 'hand', 'rival'],
  /** Only in the profile `liar`: an answer that is wrong for a while, a session whose id is not ours, and what closes the run meanwhile. */
  lies: ['lie', 'session', 'stop', 'kill', 'hang'],
  /** Only in runs with streams. */
  streams: ['frameLost', 'frameRepeated', 'frameSwapped', 'frameLate', 'frameCut', 'lineCut', 'lineSilent'],
} as const;

export type FaultKind = (typeof KINDS)[keyof typeof KINDS][number];
/** The kinds that a plan draws one by one; those of the profile `liar` are drawn together. */
export type DrawnKind = Exclude<FaultKind, (typeof KINDS.lies)[number]>;
export const STREAM_KINDS: readonly DrawnKind[] = KINDS.streams;
export const LIE_KINDS: readonly FaultKind[] = KINDS.lies;
/** The kinds of every other profile, with streams or without. */
export const ALL_KINDS: readonly DrawnKind[] = [KINDS.network, KINDS.exchange, KINDS.disk, KINDS.process, KINDS.people].flat();

/**
 * Times count from the start of the run. The meaning of `amount` depends on the kind: a delay, a lag or a downtime in milliseconds; a jump, a
 * rollback, the rest of a session or the age of a restored state in seconds; a status code; or which call or post from `from` on, counted from 1.
 */
export interface InjectedFault {
  /** Names its random stream. */
  readonly id: string;
  readonly kind: FaultKind;
  readonly from: Millis;
  /** Equal to `from` if the fault is a moment. */
  readonly until: Millis;
  /** For network faults and the lag of a replica. */
  readonly path?: Path | 'all' | undefined;
  /** The chance for each request or call within its time; 1 by default. */
  readonly chance?: number | undefined;
  readonly amount?: number | undefined;
  /**
   * A crash: `kill` keeps what was written, `power` what was synced. A restart or a rollback: `keeps` or `forgets` its duplicates. A stall: `behind`
   * or `catchUp`. A refusal: its error name. A kill switch: its mode. A manual trader: what it does. Fees: `lower` or `higher`. A relisting: the
   * term. A lie: its name in the table of lies. A session: `taken`, its id belongs to somebody else from now on; `misnamed`, receipts of new ones name
   * another id.
   */
  readonly detail?: string | undefined;
}

export type Plan = readonly InjectedFault[];

export const classOf = (kind: string): string =>
  Object.entries(KINDS).find(([, kinds]) => (kinds as readonly string[]).includes(kind))?.[0] ?? 'other';

/** One line for a person. */
export function faultText({ kind, from, until, path, chance, amount, detail }: InjectedFault): string {
  const time = until > from ? `${seconds(from)}-${seconds(until)}` : seconds(from);
  const scope = [path, chance === undefined ? undefined : `${Math.round(chance * 100)} %`, amount, detail];
  return [time, kind, ...scope.filter((part) => part !== undefined)].join(' ');
}

const seconds = (span: Millis): string => `${(span / 1000).toFixed(1)} s`;

export type PathOf = (request: HttpRequest) => Path;

/** Returns the endpoint that a request is for. */
export function pathOf({ method, path }: HttpRequest): Path {
  if (method === 'POST') return 'action';
  if (path.startsWith('/account/')) return 'account';
  if (path.startsWith('/trades')) return 'trades';
  if (path.startsWith('/market/')) return 'book';
  if (path.startsWith('/markets/live')) return 'live';
  if (path === '/timestamp') return 'time';
  return path.startsWith('/user/') ? 'user' : 'info';
}
