// A start on an account with unknown orders, with the local API; with the hosted API: `start-check.test.ts`.
import { startChecks } from './start-checks.ts';

startChecks('local');
