// Which events say nothing of us: what is ours, and what our risk is counted at, stays as it was.
import type { Event } from '../domain/event.ts';

export const isImpersonal = (event: Event): boolean =>
  IMPERSONAL.has(event.kind) || (event.kind === 'fillsSeen' && event.fills.length === 0);
const IMPERSONAL: ReadonlySet<Event['kind']> = new Set<Event['kind']>(['bookSeen', 'tradesSeen', 'candlesSeen', 'timeSeen', 'timerFired']);
