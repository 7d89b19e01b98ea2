// Identity of a run through a local process: its address, until the process has named the account.
import type { AccountHolder } from '../../core/start-check.ts';

/** A restart needs only the same account number, because the address may change with the port. */
export const localAccountHolder = (url: string): AccountHolder => ({ exchange: 'local', url: new URL(url).origin, identity: 'account' });
