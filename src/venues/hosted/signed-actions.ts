// Signs approved actions and sends each once. The signed bytes are the record of an action, so they exist before any is sent.
import { type Observable, Subject } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import { type Action, type CancelOrder, DEFAULT_ORDER_LIFE } from '../../bot/domain/action.ts';
import type { AccountEvent } from '../../bot/domain/event.ts';
import type { AccountId, SessionId, UpdateId } from '../../bot/domain/ids.ts';
import { canRest } from '../../bot/domain/order.ts';
import type { Log } from '../../bot/exchange/kit/log.ts';
import type { CancelTimes } from '../../bot/exchange/kit/sending/cancel-times.ts';
import type { SealedAction } from '../../bot/exchange/kit/sending/outgoing.ts';
import type { ActionResult, PreparedAction } from '../../bot/exchange/kit/venue-client.ts';
import { type Reply, replyOf, resultOf, timeVerdictOf } from './action-result.ts';
import { Echo } from './echo.ts';
import { BackDating } from './session/back-dating.ts';
import type { EngineTime } from './session/engine-time.ts';
import type { Session } from './session/session.ts';
import { type SigningTools, seal, wireActionOf } from './session/sign-action.ts';

/** Errors that may be caused by the reduce-only mark: exchanges differ in which reduce-only orders they accept. */
const REFUSE_REDUCE_ONLY: ReadonlySet<string> = new Set([
  'ORDER_REDUCE_IS_POST_ONLY',
  'ONLY_IMMEDIATE_ORDERS_ALLOWED',
  'NOT_IMPLEMENTED',
  'DECODE_FAILURE',
  'DECODE_FAILURE_RAW',
  'DECODE_FAILURE_DOMAIN',
]);

interface Sealed {
  readonly action: Action;
  readonly timestamp: number;
  readonly sessionId: SessionId;
  readonly record: SealedAction & { readonly body: Uint8Array };
}

export interface SignedActionsOptions extends SigningTools {
  readonly clock: Clock;
  readonly time: EngineTime;
  /** The times of cancels, also while the exchange's clock is wrong. */
  readonly times: CancelTimes;
  readonly session: Session;
  /** True if a cancel is not to be sent now: `Session.holdsBack`. Absent for a process that only cancels, and then ends. */
  readonly holdsBack?: (() => boolean) | undefined;
  readonly log: Log;
  readonly account: AccountId;
}

/** What was known when an action was signed. */
type Known = Pick<SealedAction, 'heard' | 'account'>;

export class SignedActions {
  readonly #options: SignedActionsOptions;
  /** Signs orders with a time in the past, so that their bytes expire sooner. */
  readonly #backDating: BackDating;
  readonly #echo: Echo;
  readonly #broken = new Subject<never>();
  /** The update id of the newest account snapshot. */
  #account: UpdateId | undefined;
  /**
   * True once the exchange has refused an order because it was marked reduce-only: later orders are sent without the mark, and only the guards ensure
   * that they reduce.
   */
  #reduceOnlyRefused = false;

  constructor(options: SignedActionsOptions) {
    this.#options = options;
    this.#backDating = new BackDating({ ...options, cancelAt: (order, seconds) => this.#cancelAt(order, seconds) });
    this.#echo = new Echo(options.account);
  }

  /** Emits nothing; errors only with an AssertionError. */
  get events(): Observable<never> {
    return this.#broken;
  }

  prepare(actions: readonly Action[]): readonly PreparedAction[] {
    return actions.map((action) => this.#prepareOne(action));
  }

  observe(event: AccountEvent): void {
    const { clock, times } = this.#options;
    if (event.kind === 'accountSeen') {
      this.#account = event.account.updateId;
      times.settle(clock.now());
    }
    if (event.kind !== 'orderUnknown') return;
    this.#backDating.unanswered(clock.now()).catch((error: unknown) => this.#broken.error(error));
  }

  #prepareOne(action: Action): PreparedAction {
    const { clock, time, session } = this.#options;
    const timestamp = this.#timestampFor(action, clock.now());
    const sessionId = action.kind === 'cancel' ? session.forCancels() : session.usable();
    if (timestamp === undefined) return { kind: 'unsent', action, reason: "the exchange's time was received too long ago" };
    if (sessionId === undefined) return { kind: 'unsent', action, reason: 'there is no session to sign with' };
    if (action.kind === 'cancel' && this.#options.holdsBack?.() === true)
      return { kind: 'unsent', action, reason: 'the exchange refuses our signatures; one cancel is sent every few seconds' };
    const sealed = this.#seal(action, { timestamp, sessionId });
    const deadAfter = timestamp + DEFAULT_ORDER_LIFE;
    return {
      kind: 'ready',
      action,
      record: sealed.record,
      deadAfter,
      life: (deadAfter - time.latest.seconds) * 1_000,
      send: () => (action.kind === 'cancel' ? this.#sendCancel(sealed) : this.#send(sealed).then((reply) => resultOf(action, reply))),
    };
  }

  #seal(action: Action, { timestamp, sessionId }: Pick<Sealed, 'timestamp' | 'sessionId'>): Sealed {
    const { codec, clock, time, signer, nextNonce, sender } = this.#options;
    const known: Known = { heard: time.signable(clock.now()), account: this.#account };
    const nonce = nextNonce();
    const extras = this.#reduceOnlyRefused ? { ...codec.extras, reduceOnly: false } : codec.extras;
    const body = seal(wireActionOf(action, { timestamp, nonce, sessionId, sender, extras }), { codec, signer });
    const record = { action: action.kind, clientOrderId: action.clientOrderId, timestamp, ...known, nonce, body };
    return { action, timestamp, sessionId, record };
  }

  /** Only orders that can rest are back-dated. Undefined if the exchange's time is not known well enough. */
  #timestampFor(action: Action, now: Millis): number | undefined {
    const { time, times } = this.#options;
    if (action.kind === 'cancel') return times.at(now);
    return canRest(action.fillMode) ? this.#backDating.signable(now) : time.signable(now);
  }

  /** Sends a cancel, and signs it again with other times while the exchange refuses the time of its own clock. */
  async #sendCancel(prepared: Sealed): Promise<ActionResult> {
    const { action, sessionId } = prepared;
    const { session, times, writeAhead } = this.#options;
    let isFirst = true;
    const send = (timestamp: number): Promise<Reply> => {
      const sealed =
        isFirst && timestamp === prepared.timestamp
          ? prepared
          : this.#seal(action, { timestamp, sessionId: session.forCancels() ?? sessionId });
      if (sealed !== prepared) writeAhead([sealed.record]);
      isFirst = false;
      return this.#send(sealed);
    };
    return resultOf(action, await times.send(prepared.timestamp, { send, verdictOf: timeVerdictOf }));
  }

  /** Sends a cancel that is signed for exactly this second. */
  async #cancelAt(order: CancelOrder, timestamp: number): Promise<Reply | undefined> {
    const { session, writeAhead } = this.#options;
    const sessionId = session.usable();
    if (sessionId === undefined) return undefined;
    const sealed = this.#seal(order, { timestamp, sessionId });
    writeAhead([sealed.record]);
    return this.#send(sealed);
  }

  async #send(sealed: Sealed): Promise<Reply> {
    const { client, codec, session } = this.#options;
    const { connection } = session;
    const { action, record } = sealed;
    const reply = await replyOf(client.action(record.body), codec);
    const own = this.#ownReply(action, reply);
    this.#applyReply(sealed, { reply: own, connection });
    return own;
  }

  /** Treats a receipt that belongs to another action as no answer, and resets all connections, because they are unreliable. */
  #ownReply(action: Action, reply: Reply): Reply {
    if (reply.kind !== 'receipt') return reply;
    const { client } = this.#options;
    const reason = this.#echo.mismatch(action, reply.receipt);
    if (reason !== undefined) client.reset(reason);
    else if (reply.receipt.kind === 'err') client.renew();
    return reason === undefined ? reply : { kind: 'noAnswer', reason };
  }

  #applyReply({ action, sessionId }: Sealed, { reply, connection }: { readonly reply: Reply; readonly connection: number }): void {
    if (reply.kind !== 'receipt') return;
    const { receipt } = reply;
    if (receipt.kind === 'err' && action.kind === 'place' && action.reduceOnly === true)
      this.#reduceOnlyRefused ||= REFUSE_REDUCE_ONLY.has(receipt.error);
    this.#options.session.answered({ id: sessionId, connection }, receipt);
    if (receipt.kind === 'cancelOrder' && action.kind === 'cancel') this.#backDating.cancelled(action);
  }
}
