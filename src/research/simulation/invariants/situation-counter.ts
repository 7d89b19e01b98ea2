// Counts the dangerous situations that occur between the bot and the exchange. Checks nothing.
import type { Millis } from '../../../base/clock.ts';
import type { HttpReply } from '../../../base/transport/transport.ts';
import type { Receipt } from '../../../venues/wire/codec.ts';
import { LONG_RETRY_AFTER_SECONDS } from '../environment/network/network.ts';
import type { MakeCheck } from '../environment/scene.ts';
import { hashOf } from '../record/truth.ts';

/** How long the bot waits for an answer to an action. */
const TIMEOUT = 3_000;

export const situationCounter: MakeCheck = (scene) => {
  const { venue, record, reached } = scene;
  const { api, truth } = venue;
  const sessions = new Map<number, number>();
  let segments = 0;
  /** Processes that received a bad answer while they started. */
  const failedStarts = new Set<number>();
  record.followers.push(({ clientOrderId, status, reason = '' }, before) => {
    if (before?.status === 'unknown' && status === 'open') reached('unknown resolved as open');
    if (before?.status === 'unknown' && status === 'filled') reached('unknown resolved as filled');
    if (before?.status === 'unknown' && status === 'cancelled')
      reached(truth.executions(clientOrderId) === 0 ? 'unknown resolved as never executed' : 'unknown cancelled later');
    if (status === 'rejected' && reason.startsWith('NOT_SENT') && scene.faults.on('diskFull') !== undefined)
      reached('placement not sent because the disk was full');
    else if (status === 'rejected' && !reason.startsWith('NOT_SENT')) reached('placement refused by the exchange');
  });
  /** When each answer to an action was first received, whichever action it was received for. */
  const answers = new WeakMap<HttpReply, Millis>();
  return {
    received(request, reply, { asked, altered, by }) {
      if (venue.replies.isShort(reply) && truth.open().length > 0) reached('incomplete account received with orders resting');
      if (reply.retryAfter === LONG_RETRY_AFTER_SECONDS) {
        reached('retry-after of an hour received');
        scene.tolerated.mustWait(by.number, api.pathOf(request));
      }
      if (by.trading === undefined && altered) failedStarts.add(by.number);
      if (by.trading !== undefined && failedStarts.delete(by.number)) reached('start continued after a failed request');
      if (scene.faults.on('shifted') !== undefined && altered && reply.status === 200) reached('reply to another request received');
      if (api.pathOf(request) !== 'action' || request.body === undefined) return;
      const signedAction = truth.signedActions.get(hashOf(request.body));
      const firstAt = answers.get(reply) ?? scene.now();
      answers.set(reply, firstAt);
      if (altered && signedAction !== undefined && signedAction.sentAt <= firstAt)
        signedAction.misanswered ||= receiptIn(() => api.receiptIn(reply.body))?.kind === 'err';
      if (altered) return;
      if (signedAction !== undefined) signedAction.isOutcomeReceived = true;
      if (venue.clockNow() - asked > TIMEOUT) reached('receipt after the timeout');
      const receipt = receiptIn(() => api.receiptIn(reply.body));
      if (receipt?.kind === 'err' && receipt.error === 'DUPLICATE') reached('DUPLICATE received by the bot');
    },
    answered(action, receipt) {
      if (receipt.kind === 'err' && receipt.error === 'SESSION_NOT_FOUND') reached('session ended with an action in flight');
      if (action.kind === 'cancelOrder' && receipt.kind === 'err' && receipt.error === 'ORDER_NOT_FOUND' && truth.wasFilled(action.orderId))
        reached('cancel raced a fill');
      if (action.kind !== 'placeOrder' || receipt.kind !== 'placeOrder') return;
      const [signedAction] = truth.placements(action.clientOrderId ?? '');
      if (signedAction !== undefined && !scene.isAlive(signedAction.process)) reached('placement executed after its process had died');
    },
    sent({ action }, by) {
      if (action.kind !== 'createSession') return;
      const made = (sessions.get(by.number) ?? 0) + 1;
      sessions.set(by.number, made);
      if (made > 1 || by.number > 1) reached('session opened again');
    },
    turn({ alarms }) {
      for (const { name } of alarms)
        if (name === 'ghost' || name === 'position') reached(`${name} alarm`);
        else if (name === 'company') reached('foreign order alarm');
    },
    started({ number, trading }) {
      if (number === 1) return;
      const unknown = trading?.run.world.orders().filter(({ status }) => status === 'unknown') ?? [];
      for (const { clientOrderId } of unknown) record.unknown.add(clientOrderId);
      if (unknown.length > 0) reached('recovered with an unknown order');
      if (truth.open().length > 0) reached('recovered with orders resting');
      if (venue.exchange.markets.some(({ id }) => truth.position(id) !== 0)) reached('recovered with a position');
    },
    died() {
      if (record.segments > segments + 1) reached('journal began another segment');
      segments = record.segments;
    },
    quiescent() {
      if (venue.exchange.markets.some(({ id, spec }) => spec.kind === 'spot' && truth.trades().some(({ market }) => market === id)))
        reached('spot traded');
      for (const { action, executions, isOutcomeReceived } of truth.signedActions.values())
        if (action.kind === 'cancelOrder' && executions.length > 0 && !isOutcomeReceived) reached('cancel reply lost');
      for (const [clientOrderId, { filled, open }] of truth.outcomes())
        if (!open && filled > 0 && record.latest(clientOrderId)?.status === 'cancelled') reached('partial fill then cancel');
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
