// The session: a key that may sign actions for a limited time. This file renews it before it ends; `open-session.ts` opens one, `venues/wire/sign-action.ts` signs.
// A run opens it at the start; `kill` and the watchdog only once they cancel.
import { BehaviorSubject, distinctUntilChanged, filter, firstValueFrom, map, merge, type Observable, Subject, skip } from 'rxjs';
import { type Millis, SingleTimer } from '../../../base/clock.ts';
import { AssertionError, messageOf } from '../../../base/errors.ts';
import type { HealthSeen, SessionSeen } from '../../../bot/domain/event.ts';
import type { SessionId } from '../../../bot/domain/ids.ts';
import { meaningOf } from '../../../bot/exchange/error-meanings.ts';
import type { Receipt } from '../../wire/codec.ts';
import type { SigningContext } from '../signing-context.ts';
import { type LiveSession, SessionOpener } from './open-session.ts';
import { SessionBackOff } from './session-back-off.ts';
import { SessionRefusals, type SignedIn, TooManySessions } from './session-refusals.ts';

/** The share of a session's life after which it is renewed. */
const RENEWAL = 0.8;
/** A session is not used within min(60 s, 20 % of its life) of its expiry. */
const MARGIN_SECONDS = 60;
const MARGIN_SHARE = 0.2;
/**
 * Renewal starts at least min(30 s, 12 % of the life) before the session may no longer be used: opening the next one takes several requests, and the old one
 * signs until it is open.
 */
const OPENING_SHARE = 0.12;
const OPENING_SECONDS = 30;
/** Seconds; one because engine time has whole seconds, and one for the requests. */
const RENEW_EARLY = 2;
/** Seconds. A session shorter than this counts as a failed attempt, so that the back-off applies. */
const SHORTEST_LIFE = 5;
/** The end of the session is checked this often, because engine time may jump past it: without a session, nothing can be cancelled. */
const CHECK_INTERVAL: Millis = 1_000;

/** While no session may be requested, one in the list may still be used; it is read this often. */
const LOOK_AGAIN: Millis = 30_000;

const NOT_FOUND = 'the exchange no longer knows';
const REFUSED = 'the exchange refuses the signatures in';
const HOPELESS =
  'the exchange refuses our signatures in a new session too: the key of the session or the action schema is wrong; check --key and --schema, and cancel the orders on its own page';
const MENDED = 'the exchange accepts our signatures again';

interface Open extends LiveSession {
  readonly kind: 'open';
  /** When the session was first used; engine time, in seconds. */
  readonly opened: number;
}

type State = Open | { readonly kind: 'none'; readonly reason: string; readonly alarm?: boolean };

export class Session {
  readonly #signing: SigningContext;
  readonly #opener: SessionOpener;
  readonly #timer: SingleTimer;
  readonly #backOff: SessionBackOff;
  readonly #state = new BehaviorSubject<State>({ kind: 'none', reason: 'no session yet' });
  readonly #broken = new Subject<never>();
  readonly #refusals = new SessionRefusals();
  readonly #keyHealth = new Subject<HealthSeen>();
  readonly #unwanted = new Set<SessionId>();
  /** The session that was opened last, until the exchange no longer finds it. */
  #latest: LiveSession | undefined;
  /** Sessions that end at this engine time or earlier are not reused. It is the end of the current session, so that a renewal opens a longer one. */
  #after = 0;
  #isOpening = false;
  /** When the next attempt begins. */
  #nextAttemptAt: Millis = 0;
  #closed = false;

  constructor(signing: SigningContext) {
    this.#signing = signing;
    this.#opener = new SessionOpener(signing);
    this.#timer = new SingleTimer(signing.clock);
    this.#backOff = new SessionBackOff(signing.rng.fork('session'));
  }

  /** Starts with the current state. Errors only with an AssertionError. */
  get events(): Observable<SessionSeen | HealthSeen> {
    const now = (): Millis => this.#signing.clock.now();
    const sessions = this.#state.pipe(
      filter((state) => state.kind === 'open'),
      map(({ opened, expires }): SessionSeen => ({ kind: 'sessionSeen', at: now(), opened, expires })),
    );
    const health = this.#state.pipe(
      distinctUntilChanged((before, after) => before.kind === after.kind && alarmOf(before) === alarmOf(after)),
      map((state): HealthSeen => ({ kind: 'healthSeen', at: now(), stream: 'session', ...healthOf(state) })),
    );
    return merge(sessions, health, this.#keyHealth, this.#opener.others.events, this.#broken);
  }

  /** Returns the session that may sign orders now; undefined if there is none or it is too close to its expiry. */
  usable(): SessionId | undefined {
    const state = this.#state.value;
    if (state.kind === 'none') return undefined;
    return this.#now() < state.expires - marginOf(state.expires - state.opened) ? state.id : undefined;
  }

  /** Returns the session that may sign cancels, until the exchange no longer knows it: its clock may be wrong, and the worst outcome is a refusal. */
  forCancels(): SessionId | undefined {
    return this.#latest?.id;
  }

  /** Engine time, in seconds. */
  #now(): number {
    const { clock, time, times, onlyCancels } = this.#signing;
    return (onlyCancels ? times.acceptedAt(clock.now()) : undefined) ?? time.estimate(clock.now());
  }

  /** Opens the first session; rejects if that fails. */
  async open(): Promise<void> {
    const requesting = (): void => this.#refusals.requesting(this.#signing.clock.now());
    this.#adopt(await this.#opener.open({ ids: this.#unwanted, after: this.#after, requesting }));
  }

  /**
   * Opens a session unless there is one that may sign cancels, for a process that only cancels. Rejects if it fails, and during the pause after a
   * failure.
   */
  async openForCancels(): Promise<void> {
    if (this.#latest !== undefined) return;
    this.#openAfter(() => 0);
    const isPausing = this.#signing.clock.now() < this.#nextAttemptAt;
    const state = isPausing ? this.#state.value : await firstValueFrom(merge(this.#state.pipe(skip(1)), this.#broken));
    if (state.kind === 'none') throw new Error(state.reason);
  }

  /** True if a cancel would be refused now, because the exchange refuses our signatures. Every few seconds one may be sent. */
  holdsBack(): boolean {
    return this.#refusals.holdsBack(this.#signing.clock.now());
  }

  /** True if the exchange refuses our signatures in a new session too: the key of the session or the action schema is wrong. */
  get isHopeless(): boolean {
    return this.#refusals.isHopeless;
  }

  /** The connection of an action that is sent now, for `answered`. */
  get connection(): number {
    return this.#refusals.connection;
  }

  /** Called with each receipt of an action that was signed in a session. */
  answered(signedIn: SignedIn, receipt: Receipt): void {
    if (receipt.kind === 'err' && meaningOf(receipt.error) === 'session') this.#notFound(signedIn.id);
    const at = this.#signing.clock.now();
    const verdict = this.#refusals.observe(signedIn, receipt, at);
    if (verdict === 'unwanted') this.#replace(signedIn.id, REFUSED);
    if (verdict === 'hopeless')
      this.#keyHealth.next({ kind: 'healthSeen', at, stream: 'key', healthy: false, alarm: true, reason: HOPELESS });
    if (verdict === 'mended') this.#keyHealth.next({ kind: 'healthSeen', at, stream: 'key', healthy: true, reason: MENDED });
  }

  /** Called when the exchange no longer knows this session. */
  #notFound(id: SessionId): void {
    if (this.#latest?.id === id) this.#latest = undefined;
    this.#replace(id, NOT_FOUND);
  }

  /** Opens one other session, however many orders call for it. Until it is open, cancels are signed in this one if the exchange knows it. */
  #replace(id: SessionId, why: string): void {
    const state = this.#state.value;
    if (state.kind === 'none' || state.id !== id) return;
    this.#unwanted.add(id);
    this.#after = 0;
    this.#state.next({ kind: 'none', reason: `${why} session ${id}; another is being opened` });
    this.#openAfter(() => this.#backOff.next(this.#signing.clock.now()));
  }

  /** Stops opening sessions, at once. */
  close(): void {
    this.#closed = true;
    this.#timer.cancel();
    this.#opener.others.close();
    this.#state.complete();
    this.#keyHealth.complete();
    this.#broken.complete();
  }

  #adopt({ id, expires }: LiveSession): void {
    if (this.#closed) return;
    const { log } = this.#signing;
    this.#opener.others.watch(() => this.#opener.list());
    const opened = Math.floor(this.#now());
    this.#after = expires;
    this.#latest = { id, expires };
    this.#refusals.replaced();
    log.info(`session ${id} is open for ${expires - opened} s`);
    this.#state.next({ kind: 'open', id, opened, expires });
    this.#renewInTime({ opened, expires });
  }

  #renewInTime(session: { readonly opened: number; readonly expires: number }): void {
    const { clock } = this.#signing;
    const life = session.expires - session.opened;
    const wait = Math.ceil((session.opened + renewalAt(life) - this.#now()) * 1_000);
    this.#timer.set(Math.min(Math.max(wait, 0), CHECK_INTERVAL), () => {
      if (wait > CHECK_INTERVAL) return this.#renewInTime(session);
      if (life >= SHORTEST_LIFE) this.#backOff.lived();
      this.#openAfter(() => (life >= SHORTEST_LIFE ? 0 : this.#backOff.next(clock.now())));
    });
  }

  /** Opens a session after a pause. Does nothing if an attempt is already under way. */
  #openAfter(pause: () => Millis): void {
    if (this.#isOpening || this.#closed) return;
    this.#isOpening = true;
    const wait = pause();
    this.#nextAttemptAt = this.#signing.clock.now() + wait;
    this.#timer.set(wait, () => void this.#tryToOpen());
  }

  async #tryToOpen(): Promise<void> {
    const outcome = await this.open().catch((error: unknown) => ({ error }));
    this.#isOpening = false;
    if (outcome !== undefined) this.#failed(outcome.error);
  }

  #failed(error: unknown): void {
    if (error instanceof AssertionError) return this.#broken.error(error);
    const { clock, log } = this.#signing;
    const reason = `no session could be opened: ${messageOf(error)}`;
    log.warn(reason);
    const isTooSoon = error instanceof TooManySessions;
    if (this.usable() === undefined) this.#state.next({ kind: 'none', reason, ...(isTooSoon && { alarm: true }) });
    this.#openAfter(() => (isTooSoon ? Math.min(LOOK_AGAIN, error.notBefore - clock.now()) : this.#backOff.failed(error, clock.now())));
  }
}

const marginOf = (life: number): number => Math.min(MARGIN_SECONDS, MARGIN_SHARE * life);

/** Returns the seconds from the opening of a session to its renewal: 69,118 for a day (80 %), 210 for 300 s (the margin is 60 s, and opening takes 30 s). */
function renewalAt(life: number): number {
  const opening = Math.max(RENEW_EARLY, Math.min(OPENING_SECONDS, OPENING_SHARE * life));
  return Math.min(RENEWAL * life - RENEW_EARLY, life - marginOf(life) - opening);
}

const alarmOf = (state: State): boolean => state.kind === 'none' && state.alarm === true;

const healthOf = (state: State): Pick<HealthSeen, 'healthy' | 'reason' | 'alarm'> =>
  state.kind === 'open'
    ? { healthy: true, reason: 'a session is open' }
    : { healthy: false, reason: state.reason, ...(alarmOf(state) && { alarm: true }) };
