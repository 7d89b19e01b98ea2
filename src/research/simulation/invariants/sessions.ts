// Invariant: no placement is signed with a session that is known to have ended, nor with an outdated time; refusals for the time or the signature stop
// after some; and sessions are not opened in a loop.
import { MINUTE, type Millis } from '../../../base/clock.ts';
import { meaningOf } from '../../../bot/exchange/error-meanings.ts';
import { secondsOfReading } from '../../../venues/client/hosted.ts';
import type { Receipt, WireAction } from '../../../venues/wire/codec.ts';
import type { MakeCheck } from '../environment/scene.ts';
import { AFTER_CANCELS } from './actions.ts';

/** A time requested longer ago must not be used to sign. */
const SIGNABLE_FOR: Millis = 20_000;
const MAX_SESSIONS_PER_MINUTE = 30;
/** In a run of the profile `liar` without other faults, at most this many cancels in a row are refused for their time, and actions for their signature. */
const MAX_REFUSED = 30;

export const sessions: MakeCheck = ({ venue, options, now, fail }) => {
  /** By process: the newest time that it requested, and when. */
  const newestTimes = new Map<number, { readonly seconds: number; readonly asked: Millis }>();
  /** Engine seconds, by session. */
  const expiries = new Map<string, number>();
  let made: Millis[] = [];
  const inARow = { time: 0, signature: 0 };
  const judge = (action: WireAction, receipt: Receipt): void => {
    if (options.profile !== 'liar' || options.faults.kinds.length > 0) return;
    const meaning = receipt.kind === 'err' ? meaningOf(receipt.error) : undefined;
    for (const cause of ['time', 'signature'] as const) {
      if (cause === 'time' && action.kind !== 'cancelOrder') continue;
      inARow[cause] = meaning === cause ? inARow[cause] + 1 : 0;
      if (inARow[cause] > MAX_REFUSED) fail('V11', `${inARow[cause]} actions in a row are refused for their ${cause}`);
    }
  };
  return {
    received(request, { status, body }, { asked, by }) {
      if (status !== 200 || venue.api.pathOf(request) !== 'time' || asked < (newestTimes.get(by.number)?.asked ?? 0)) return;
      const seconds = venue.api.secondsIn(body); // a time in milliseconds that is cut to ten digits reads as seconds, and is right
      if (seconds !== undefined) newestTimes.set(by.number, { seconds, asked });
    },
    answered(action, receipt) {
      judge(action, receipt);
      if (action.kind !== 'createSession' || receipt.kind !== 'createSession') return;
      const latest = secondsOfReading(venue.engineTime()) + options.rules.sessionSeconds;
      expiries.set(receipt.sessionId, Math.min(action.expiry, latest));
    },
    sent({ action }, by) {
      if (action.kind === 'createSession') {
        made = [...made.filter((at) => at > now() - MINUTE), now()];
        if (made.length > MAX_SESSIONS_PER_MINUTE) fail('V20', `${made.length} sessions were asked for within a minute`);
      }
      const newest = newestTimes.get(by.number);
      if (action.kind !== 'placeOrder' || newest === undefined) return; // a cancel does no harm, whenever it is executed
      const age = venue.clockNow() - newest.asked;
      if (age > SIGNABLE_FOR + AFTER_CANCELS) fail('V11', `a ${action.kind} is signed with a time that was received ${age} ms ago`);
      const expiry = expiries.get(action.sessionId);
      if (expiry !== undefined && newest.seconds >= expiry && age > AFTER_CANCELS)
        fail('V11', `a ${action.kind} is signed with a session that ended at ${expiry}, and ${newest.seconds} was received ${age} ms ago`);
    },
  };
};
