// Who trades in a paper run: the one simulated account on the data of an address.
import type { AccountHolder } from '../../core/start-check.ts';

export const paperAccountHolder = (url: string): AccountHolder => ({ exchange: 'paper', url: new URL(url).origin });
