// The rules of the hosted exchange: its time limits, and what its numbers prove.
import { DEFAULT_ORDER_LIFE } from '../../domain/action.ts';
import type { ClientRules } from '../kit/venue-client.ts';

export const HOSTED_RULES: ClientRules = {
  orderLife: DEFAULT_ORDER_LIFE,
  answerTimeoutMs: 3_000,
  listingLagMs: 1_000,
  revision: 'number',
  maxUnchangedMs: 1_000,
};
