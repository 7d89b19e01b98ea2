// Checks nothing: counts the dangerous events that happened, so that a run without a violation is known to have had them.
import type { Millis } from '../../../base/clock.ts';
import type { HttpReply } from '../../../base/transport.ts';
import type { Receipt } from '../../../wire/codec.ts';
import { LONG_RETRY_AFTER_SECONDS } from '../../environment/network/network.ts';
import { pathOf } from '../../environment/network/paths.ts';
import type { MakeCheck } from './scene.ts';
import { hashOf } from './truth.ts';

/** How long the bot waits for an answer to an action. */
const PATIENCE = 3_000;

export const facts: MakeCheck = (scene) => {
  const { venue, record, met } = scene;
  const { codec, truth } = venue;
  const sessions = new Map<number, number>();
  let segments = 0;
  /** Processes that received a bad answer while they started. */
  const failedStarts = new Set<number>();
  record.followers.push(({ clientOrderId, status, reason = '' }, before) => {
    if (before?.status === 'unknown' && status === 'open') met('unknown resolved as open');
    if (before?.status === 'unknown' && status === 'filled') met('unknown resolved as filled');
    if (before?.status === 'unknown' && status === 'cancelled')
      met(truth.executions(clientOrderId) === 0 ? 'unknown resolved as absent' : 'unknown cancelled later');
    if (status === 'rejected' && reason.startsWith('NOT_SENT') && scene.faults.on('diskFull') !== undefined)
      met('placement held by a full disk');
    else if (status === 'rejected' && !reason.startsWith('NOT_SENT')) met('placement refused by the exchange');
  });
  /** When each answer to an action was first received, whichever action it was received for. */
  const answers = new WeakMap<HttpReply, Millis>();
  return {
    received(request, reply, { asked, altered, by }) {
      if (venue.replies.isShort(reply) && truth.open().length > 0) met('short account heard with orders resting');
      if (reply.retryAfter === LONG_RETRY_AFTER_SECONDS) {
        met('retry after an hour was asked for');
        scene.tolerated.wait(by.number, pathOf(request));
      }
      if (by.trading === undefined && altered) failedStarts.add(by.number);
      if (by.trading !== undefined && failedStarts.delete(by.number)) met('start went on after a failed question');
      if (scene.faults.on('shifted') !== undefined && altered && reply.status === 200) met('reply to another request heard');
      if (pathOf(request) !== 'action' || request.body === undefined) return;
      const signedAction = truth.signedActions.get(hashOf(request.body));
      const firstAt = answers.get(reply) ?? scene.now();
      answers.set(reply, firstAt);
      if (altered && signedAction !== undefined && signedAction.sentAt <= firstAt)
        signedAction.misanswered ||= receiptIn(() => codec.decodeReceipt(reply.body))?.kind === 'err';
      if (altered) return;
      if (signedAction !== undefined) signedAction.heard = true;
      if (venue.clockNow() - asked > PATIENCE) met('receipt after the soft timeout');
      const receipt = receiptIn(() => codec.decodeReceipt(reply.body));
      if (receipt?.kind === 'err' && receipt.error === 'DUPLICATE') met('DUPLICATE received by the bot');
    },
    answered(action, receipt) {
      if (receipt.kind === 'err' && receipt.error === 'SESSION_NOT_FOUND') met('session ended mid-flight');
      if (action.kind === 'cancelOrder' && receipt.kind === 'err' && receipt.error === 'ORDER_NOT_FOUND' && truth.wasFilled(action.orderId))
        met('cancel raced a fill');
      if (action.kind !== 'placeOrder' || receipt.kind !== 'placeOrder') return;
      const [signedAction] = truth.placements(action.clientOrderId ?? '');
      if (signedAction !== undefined && !scene.isAlive(signedAction.process)) met('place executed after its process had died');
    },
    sent({ action }, by) {
      if (action.kind !== 'createSession') return;
      const made = (sessions.get(by.number) ?? 0) + 1;
      sessions.set(by.number, made);
      if (made > 1 || by.number > 1) met('session made anew');
    },
    turn({ alarms }) {
      for (const { name } of alarms) if (name === 'ghost' || name === 'position' || name === 'company') met(`${name} alarm`);
    },
    trades({ number, trading }) {
      if (number === 1) return;
      const unknown = trading?.run.world.orders().filter(({ status }) => status === 'unknown') ?? [];
      for (const { clientOrderId } of unknown) record.unknown.add(clientOrderId);
      if (unknown.length > 0) met('recovered with an unknown order');
      if (truth.open().length > 0) met('recovered with orders resting');
      if (venue.exchange.markets.some(({ id }) => truth.position(id) !== 0)) met('recovered with a position');
    },
    died() {
      if (record.segments > segments + 1) met('journal began another segment');
      segments = record.segments;
    },
    quiescent() {
      if (venue.exchange.markets.some(({ id, spec }) => spec.kind === 'spot' && truth.trades().some(({ market }) => market === id)))
        met('spot traded');
      for (const { action, executions, heard } of truth.signedActions.values())
        if (action.kind === 'cancelOrder' && executions.length > 0 && !heard) met('cancel reply lost');
      for (const [clientOrderId, { filled, open }] of truth.fates())
        if (!open && filled > 0 && record.latest(clientOrderId)?.status === 'cancelled') met('partial fill then cancel');
    },
  };
};

function receiptIn(decode: () => Receipt): Receipt | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
