// Identity of a paper run: the exchange `paper`, and the address of its data.
import type { AccountHolder } from '../../bot/run/core/start-check.ts';

export const paperAccountHolder = (url: string): AccountHolder => ({ exchange: 'paper', url: new URL(url).origin });
