// The signing process on the user's machine, which has its own key, account and action schema. What is special about it, and why:
//   trades without ids        a trade is identified by its content and its number among equals        venues/shared/pages-without-ids.ts
//   receipts without ids      a poll shows what became of an accepted order                           venues/shared/accepted-orders.ts
//   flags that are ignored    answers and polls are compared with what was asked for                  venues/shared/flag-verifier.ts
//   no decimals, no margins   both are derived from what the process shows                            listing.ts, margins.ts
//   accounts in pieces        several answers make one account, if they agree                         account-snapshot.ts
//   moved endpoints           each is looked for at both of its paths                                 venues/client/local/routes.ts
//   no clock, no numbers      the kit counts time, books and accounts
import { clientKind } from '../kind/client-kind.ts';

export const LOCAL = clientKind({
  name: 'local',
  about: 'a signing process on your machine',
  exampleUrl: 'http://127.0.0.1:3000',
  who: 'the local process',
  hint: 'the local process signs with its own key, for its own account',
  matchesDirectory: () => true,
  code: async () => (await import('./open.ts')).LOCAL_CODE,
});
