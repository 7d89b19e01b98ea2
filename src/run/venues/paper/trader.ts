// Who trades in a paper run: the one simulated account on the data of an address.
import type { Trader } from '../../core/start-check.ts';

export const paperTrader = (url: string): Trader => ({ exchange: 'paper', url: new URL(url).origin });
