// The rules of the hosted exchange, its name in messages, and its hints.
import { DEFAULT_ORDER_LIFE } from '../../bot/domain/action.ts';
import { hintsOf } from '../../bot/exchange/kit/start-retries.ts';
import { LISTING_LAG } from '../../bot/exchange/kit/streams/trade-tail.ts';
import type { ClientRules } from '../../bot/exchange/kit/venue-client.ts';
import type { BackDatingTimes } from '../shared/back-dating.ts';
import type { SignedTimes } from '../shared/signing-time.ts';

export const HOSTED_RULES: ClientRules = {
  orderLife: DEFAULT_ORDER_LIFE,
  answerTimeoutMs: 3_000,
  listingLagMs: LISTING_LAG,
  revision: 'number',
  maxUnchangedMs: 1_000,
};

/** Signed bytes are valid for 60 s. */
export const SIGNED_TIMES: SignedTimes & BackDatingTimes = {
  signableForMs: 20_000,
  cancelMargin: 15,
  clockMargin: 5,
  backDatedBy: 45, // leaves 15 s for the latency; tested before use
  surelyDead: 75,
};

export const HOSTED_EXCHANGE = {
  name: 'the exchange',
  rules: HOSTED_RULES,
  hintFor: hintsOf({
    notSent: 'nothing answers at this address: check --url and the network',
    otherServer: 'this does not look like the API of the exchange: check --url; a web page in front of it, or a proxy, answers with HTML',
    otherwise: 'try again; if it lasts, the exchange has a problem, or --url is another server',
  }),
} as const;
