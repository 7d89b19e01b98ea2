// Mistakes that authors of adapters make, each planted in the adapter of the third exchange, with the check that must find it.

export interface PlantedMistake {
  readonly mistake: string;
  /** In `adapter/`. */
  readonly file: 'client.ts' | 'requests.ts' | 'snapshots.ts' | 'shapes.ts';
  /** Occurs once in the file. */
  readonly right: string;
  readonly wrong: string;
  /** The name of the check. */
  readonly foundBy: string;
  /** The fake in which it shows; that of the perpetual if absent. */
  readonly fake?: 'spot.fake.ts';
}

export const MISTAKES: readonly PlantedMistake[] = [
  {
    mistake: 'a timeout is called a refusal',
    file: 'client.ts',
    right: '.catch(rethrowUnproved)',
    wrong: ".catch((error: unknown) => { throw new ClientError({ kind: 'refused', message: String(error) }); })",
    foundBy: 'lost request',
  },
  {
    mistake: 'a lost reply is called a receipt',
    file: 'client.ts',
    right: "const row = await act('POST', 'orders', question).catch(rethrowUnproved);",
    wrong:
      "const row = await act('POST', 'orders', question).catch(() => ({ id: clientOrderId, clientId: clientOrderId, resting: market.size(size), fills: [] }));",
    foundBy: 'lost reply',
  },
  {
    mistake: 'a page of our trades is read, and no other',
    file: 'client.ts',
    right:
      "fetchPage: async (before = '') =>\n          (await readOwn(`fills?before=${before}`, { shape: shapes.fills, mismatchIn: ofPage(before) })).fills,\n        nextOf: lastOf,",
    wrong:
      "fetchPage: async (before = '') =>\n          (await readOwn(`fills?before=${before}`, { shape: shapes.fills, mismatchIn: ofPage(before) })).fills,\n        nextOf: () => undefined,",
    foundBy: 'all pages',
  },
  {
    mistake: 'the sign of a short position is lost',
    file: 'snapshots.ts',
    right: 'positionIn(market, { size, ',
    wrong: 'positionIn(market, { size: Math.abs(size), ',
    foundBy: 'position',
  },
  {
    mistake: 'times are in seconds',
    file: 'snapshots.ts',
    right: 'time: at }',
    wrong: 'time: at / 1_000 }',
    foundBy: 'trades',
  },
  {
    mistake: 'sizes are sent in lots',
    file: 'client.ts',
    right: 'market.sizeText(size)',
    wrong: 'String(size)',
    foundBy: 'price and size',
  },
  {
    mistake: 'a price is rounded',
    file: 'client.ts',
    right: 'market.priceText(price)',
    wrong: 'Number(market.price(price).toPrecision(4)).toString()',
    foundBy: 'price and size',
  },
  {
    mistake: 'margins are in dollars instead of millionths',
    file: 'snapshots.ts',
    right: 'mmf: row.maintenanceMargin,',
    wrong: 'mmf: row.maintenanceMargin / 1_000_000,',
    foundBy: 'margins',
  },
  {
    mistake: 'the socket and the list name a fill differently, so that it counts twice',
    file: 'client.ts',
    right: "return { kind: 'fill', fill: fillOf(markets, message.fill) };",
    wrong: "return { kind: 'fill', fill: { ...fillOf(markets, message.fill), tradeId: `pushed-${message.fill.id}` } };",
    foundBy: 'pushed data',
  },
  {
    mistake: 'an account is kept for five seconds, and shown as a new one',
    file: 'client.ts',
    right: 'const { read, ask, readOwn, act } = requestsOver(transport, key);',
    wrong: `const { read, ask, readOwn: readNow, act } = requestsOver(transport, key);
  let kept: { slot: number; row: unknown } | undefined;
  const readOwn: typeof readNow = async (path, question) => {
    const slot = Math.floor(clock.now() / 5_000);
    if (path !== 'account') return readNow(path, question);
    if (kept?.slot !== slot) kept = { slot, row: await readNow(path, question) };
    return kept.row as never;
  };`,
    foundBy: 'fresh account',
  },
  {
    mistake: 'a cancel of an order that is gone is called done',
    file: 'client.ts',
    right: "await act('DELETE', `orders/${orderId}`, { shape: shapes.cancelled, mismatchIn: ofCancelled(orderId ?? '') });",
    wrong:
      "await act('DELETE', `orders/${orderId}`, { shape: shapes.cancelled, mismatchIn: ofCancelled(orderId ?? '') }).catch((error: unknown) => {\n      if (!(error instanceof ClientError) || error.kind !== 'notFound') throw error;\n    });",
    foundBy: 'cancel of a gone order',
  },
  {
    mistake: 'client order ids are not sent',
    file: 'client.ts',
    right: 'const question = { shape: shapes.placed, mismatchIn: ofPlaced(clientOrderId), body };',
    wrong: 'const question = { shape: shapes.placed, body: { ...body, clientId: `${body.sent} ${Math.random()}` } };',
    foundBy: 'client order id',
  },
  {
    mistake: 'the answer to a second copy of an order is called a refusal',
    file: 'client.ts',
    right: "new Set(['DUPLICATE_CLIENT_ID', 'TOO_OLD'])",
    wrong: "new Set(['TOO_OLD'])",
    foundBy: 'repeated request',
  },
  {
    mistake: 'an account that could not be read is called an empty one',
    file: 'client.ts',
    right: "account: async (markets) => accountOf(markets, await readOwn('account', { shape: shapes.account })),",
    wrong: `account: async (markets) => {
      const nothing = { id: 'account-of-bot', equity: 0, initialMargin: 0, maintenanceMargin: 0, balances: [], positions: [], orders: [] };
      return accountOf(markets, await readOwn('account', { shape: shapes.account }).catch(() => nothing));
    },`,
    foundBy: 'failed account',
  },
  {
    mistake: 'a list of orders that is missing is read as an empty one',
    file: 'shapes.ts',
    right: 'size: decimal, left: decimal })),',
    wrong: 'size: decimal, left: decimal })).catch([]),',
    foundBy: 'missing fields',
  },
  {
    mistake: 'every fill is read as one of a maker',
    file: 'snapshots.ts',
    right: '{ ...row, isFeeInBase }',
    wrong: "{ ...row, role: 'maker', isFeeInBase }",
    foundBy: 'fill of which order',
  },
  {
    mistake: 'a book is not compared with its market',
    file: 'client.ts',
    right: '{ shape: shapes.book, mismatchIn: ofMarket(market) }',
    wrong: '{ shape: shapes.book }',
    foundBy: 'other market',
  },
  {
    mistake: 'orders are sent as reads, which a paper run may send',
    file: 'requests.ts',
    right: 'const signed = jsonOver(transport, { reasonIn, sign: signer(key) });',
    wrong: "const signed = jsonOver(transport, { reasonIn, sign: signer(key), reads: ['/v1/orders'] });",
    foundBy: 'reads and actions',
  },
  {
    mistake: 'post-only orders are sent as ordinary ones',
    file: 'client.ts',
    right: "POST_ONLY: 'postOnly'",
    wrong: "POST_ONLY: 'limit'",
    foundBy: 'post-only',
  },
  {
    mistake: 'an order is settled as absent when the question failed',
    file: 'client.ts',
    right: "const { state } = await act('POST', 'orders/settle', question);",
    wrong: "const { state } = await act('POST', 'orders/settle', question).catch(() => ({ state: 'never' }));",
    foundBy: 'settle',
  },
  {
    mistake: 'the secret stands in a path',
    file: 'client.ts',
    right: "owner: async () => (await readOwn('account', { shape: shapes.account })).id,",
    wrong: 'owner: async () => (await readOwn(`account?secret=${key.secret}`, { shape: shapes.account })).id,',
    foundBy: 'secrets',
  },
  {
    mistake: 'the original size of an order is what is left of it',
    file: 'snapshots.ts',
    right: 'size: originalSize,',
    wrong: 'left: originalSize,',
    foundBy: 'resting orders',
  },
  {
    mistake: 'a fee in the tokens that were bought is read as one in quote money',
    file: 'snapshots.ts',
    right: '{ ...row, isFeeInBase }',
    wrong: '{ ...row, isFeeInBase: false }',
    foundBy: 'spot balances',
    fake: 'spot.fake.ts',
  },
];
