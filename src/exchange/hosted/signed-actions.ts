// Signs approved actions and sends each once. The signed bytes are the record of an action, so they exist before any is sent.
import { Subject } from 'rxjs';
import type { Millis } from '../../base/clock.ts';
import { type Action, DEFAULT_ORDER_LIFE } from '../../domain/action.ts';
import type { AccountEvent } from '../../domain/event.ts';
import type { AccountId, SessionId, UpdateId } from '../../domain/ids.ts';
import { canRest } from '../../domain/order.ts';
import { meaningOf } from '../../wire/errors.ts';
import type { SealedAction } from '../kit/sending/outgoing.ts';
import type { ActionResult, PreparedAction } from '../kit/venue-client.ts';
import { resultOf } from './action-result.ts';
import { type Reply, replyOf } from './client/receipt.ts';
import { Echo } from './echo.ts';
import { type ActionTools, BackDating } from './session/back-dating.ts';
import { seal, wireActionOf } from './session/sign-action.ts';

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
  readonly body: Uint8Array;
  readonly sessionId: SessionId;
}

/** What was known when an action was signed. */
type Known = Pick<SealedAction, 'heard' | 'account'>;

export class SignedActions {
  readonly #options: ActionTools;
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

  constructor(options: ActionTools & { readonly account: AccountId }) {
    this.#options = options;
    this.#backDating = new BackDating(options);
    this.#echo = new Echo(options.account);
  }

  /** Errors only with an AssertionError; emits nothing. */
  get broken(): Subject<never> {
    return this.#broken;
  }

  prepare(actions: readonly Action[]): readonly PreparedAction[] {
    const { clock, time } = this.#options;
    const known: Known = { heard: time.signable(clock.now()), account: this.#account };
    return actions.map((action) => this.#prepareOne(action, known));
  }

  observe(event: AccountEvent): void {
    if (event.kind === 'accountSeen') this.#account = event.account.updateId;
    if (event.kind !== 'orderUnknown') return;
    this.#backDating.unanswered(this.#options.clock.now()).catch((error: unknown) => this.#broken.error(error));
  }

  #prepareOne(action: Action, known: Known): PreparedAction {
    const { codec, clock, time, session, signer, nextNonce, sender } = this.#options;
    const timestamp = this.#timestampFor(action, clock.now());
    const sessionId = action.kind === 'cancel' ? session.forCancels() : session.usable();
    if (timestamp === undefined) return { kind: 'unsent', action, reason: "the exchange's time was received too long ago" };
    if (sessionId === undefined) return { kind: 'unsent', action, reason: 'there is no session to sign with' };
    const nonce = nextNonce();
    const deadAfter = timestamp + DEFAULT_ORDER_LIFE;
    const extras = this.#reduceOnlyRefused ? { ...codec.extras, reduceOnly: false } : codec.extras;
    const body = seal(wireActionOf(action, { timestamp, nonce, sessionId, sender, extras }), { codec, signer });
    const record = { action: action.kind, clientOrderId: action.clientOrderId, timestamp, ...known, nonce, body };
    return {
      kind: 'ready',
      action,
      record,
      deadAfter,
      life: (deadAfter - time.latest.seconds) * 1_000,
      send: () => this.#send({ action, body, sessionId }),
    };
  }

  /** Only orders that can rest are back-dated. Undefined if the exchange's time is not known well enough. */
  #timestampFor(action: Action, now: Millis): number | undefined {
    const { time } = this.#options;
    if (action.kind === 'cancel') return time.forCancels(now);
    return canRest(action.fillMode) ? this.#backDating.signable(now) : time.signable(now);
  }

  async #send({ action, body, sessionId }: Sealed): Promise<ActionResult> {
    const { client, codec } = this.#options;
    const reply = await replyOf(client.action(body), codec);
    const own = this.#ownReply(action, reply);
    this.#applyReply({ action, body, sessionId }, own);
    return resultOf(action, own);
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

  #applyReply({ action, sessionId }: Sealed, reply: Reply): void {
    if (reply.kind !== 'receipt') return;
    const { receipt } = reply;
    if (receipt.kind === 'err' && action.kind === 'place' && action.reduceOnly === true)
      this.#reduceOnlyRefused ||= REFUSE_REDUCE_ONLY.has(receipt.error);
    if (receipt.kind === 'err' && meaningOf(receipt.error) === 'session') this.#options.session.notFound(sessionId);
    if (receipt.kind === 'cancelOrder' && action.kind === 'cancel') this.#backDating.cancelled(action.orderId);
  }
}
