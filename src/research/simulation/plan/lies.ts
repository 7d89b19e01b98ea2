// Draws the lies of a run: answers of the exchange that are wrong in one field for 5 to 120 s, alone and in pairs, a session whose id is not ours, and
// what a person does meanwhile.
import type { Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import type { InjectedFault } from './faults.ts';
import { APART_NAMES, LIE_NAMES, LIES, type LieName, type LieSubject, lieNamed } from './lie-table.ts';
import { oneOf } from './options.ts';

const SHORTEST: Millis = 5_000;
const LONGEST: Millis = 120_000;
/** The share of the runs that start during a lie, and of the lies that have another one beside them. */
const AT_START = 0.25;
const IN_PAIRS = 0.4;
/** The share of the runs that are closed during a lie. */
const CLOSED = 0.6;
/** The first lie of a run that starts without one, and the time between two lies. */
const BEFORE: Millis = 15_000;
const BETWEEN: Millis = 20_000;
const MORE: Millis = 50_000;
/** The share of the runs whose session gets an id that is not ours, and for how long receipts name such an id. */
const SESSIONS = 0.4;
const MISNAMED_FOR: Millis = 100_000;
/** A watchdog acts on a run that is silent for 30 s. */
const HANGS: Millis = 35_000;

/**
 * Subjects that no client could know any more if both were wrong. The position is known from the account and from our own trades: if both are wrong, a
 * fill of a resting order is like a cancel by the exchange. Everything else has a third witness: the receipts of our actions are right.
 */
const NO_WITNESS_LEFT: readonly (readonly [LieSubject, LieSubject])[] = [['position', 'fills']];

/** True if both may be active at one time. Not for the lies that are drawn apart: each of them may be beside any other. */
export function mayPair(one: LieName, other: LieName): boolean {
  const [a, b] = [LIES[one], LIES[other]];
  if (NO_WITNESS_LEFT.some((pair) => pair.includes(a.about) && pair.includes(b.about) && a.about !== b.about)) return false;
  const isSameReply = a.at === b.at;
  // Both would change the same field, or one replaces the whole body.
  return !(isSameReply && (a.about === b.about || one === 'strangersAccount' || other === 'strangersAccount'));
}

/** The share of the runs that have one more lie, drawn apart: about the numbers of accounts or the published schema. */
const DRAWN_APART = 0.4;
const MAY_BE_TOGETHER = LIE_NAMES.filter((name) => !APART_NAMES.includes(name));

/** A first start knows nothing that is ours: an account that is wholly another cannot be distinguished from its own. */
const atFirstStart = (name: LieName): boolean => name !== 'strangersAccount';

/** Returns the lies of a run, the fault of its session, and how it is closed. They are not sorted: `plan.ts` sorts them. */
export function liesOf(rng: Rng, { faultyMs }: { readonly faultyMs: Millis }): readonly InjectedFault[] {
  const lies: InjectedFault[] = [];
  let from = rng.next() < AT_START ? 0 : BEFORE + rng.below(BEFORE);
  for (let index = 0; from < faultyMs - SHORTEST; index++) {
    const lying = episode(rng.fork(`${index}`), { index, from, faultyMs });
    lies.push(...lying);
    from = Math.max(...lying.map(({ until }) => until)) + BETWEEN + rng.below(MORE);
  }
  const others = [...apart(rng.fork('apart'), faultyMs), ...sessionOf(rng.fork('session'), faultyMs)];
  return [...lies, ...others, ...closing(rng.fork('closing'), lies.at(-1), faultyMs)];
}

function sessionOf(rng: Rng, faultyMs: Millis): readonly InjectedFault[] {
  if (rng.next() >= SESSIONS) return [];
  const from = rng.below(faultyMs);
  const detail = oneOf(rng, ['taken', 'taken', 'misnamed']); // taken: the id is somebody else's from now on; twice as likely as a wrong id
  return [{ id: 'session', kind: 'session', from, until: detail === 'taken' ? from : Math.min(faultyMs, from + MISNAMED_FOR), detail }];
}

interface Episode {
  readonly index: number;
  readonly from: Millis;
  readonly faultyMs: Millis;
}

function episode(rng: Rng, { index, from, faultyMs }: Episode): readonly InjectedFault[] {
  const names = from === 0 ? MAY_BE_TOGETHER.filter(atFirstStart) : MAY_BE_TOGETHER;
  const lie = (name: LieName, id: string, begins: Millis): InjectedFault =>
    lieOf(name, { id: `lie/${index}${id}`, from: begins, faultyMs, rng, terms: rng.fork(`${id}/terms`) });
  const name = oneOf(rng, names);
  const first = lie(name, '', from);
  const others = names.filter((other) => mayPair(name, other));
  if (rng.next() >= IN_PAIRS || others.length === 0) return [first];
  return [first, lie(oneOf(rng, others), '/beside', from + rng.below(Math.round((first.until - from) / 2)))];
}

interface Drawn {
  readonly id: string;
  readonly from: Millis;
  readonly faultyMs: Millis;
  readonly rng: Rng;
  readonly terms: Rng;
}

const lieOf = (name: LieName, { id, from, faultyMs, rng, terms }: Drawn): InjectedFault => ({
  id,
  kind: 'lie',
  from,
  until: Math.min(faultyMs, from + Math.round(SHORTEST * (LONGEST / SHORTEST) ** rng.next())),
  detail: name,
  ...termsOf(name, terms),
});

/** Draws at most one lie about the numbers of accounts or the published schema. The schema is read at starts only. */
function apart(rng: Rng, faultyMs: Millis): readonly InjectedFault[] {
  if (rng.next() >= DRAWN_APART) return [];
  const name = oneOf(rng, APART_NAMES);
  const from = LIES[name].about === 'schema' && rng.next() < 0.5 ? 0 : rng.below(faultyMs - SHORTEST);
  return [lieOf(name, { id: 'lie/apart', from, faultyMs, rng, terms: rng })];
}

function termsOf(name: LieName, rng: Rng): Pick<InjectedFault, 'path' | 'amount'> {
  const { path, amounts } = lieNamed(name) ?? {};
  return { path, ...(amounts !== undefined && { amount: oneOf(rng, amounts) }) };
}

/** How the run is closed during its last lie, if it is: by Ctrl-C, `flatten`, `kill`, or the watchdog of a process that hangs. */
function closing(rng: Rng, last: InjectedFault | undefined, faultyMs: Millis): readonly InjectedFault[] {
  if (last === undefined || rng.next() >= CLOSED) return [];
  const from = last.from + rng.below(Math.max(1, Math.round((last.until - last.from) / 2)));
  const at = { id: 'closing', from, until: from };
  switch (rng.below(4)) {
    case 0:
      return [{ ...at, kind: 'stop' }];
    case 1:
      return [{ ...at, kind: 'latch', detail: 'flatten' }];
    case 2:
      return [{ ...at, kind: 'kill' }];
    default:
      return [{ ...at, kind: 'hang', until: Math.min(faultyMs, from + HANGS + rng.below(HANGS)) }];
  }
}
