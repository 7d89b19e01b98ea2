// The socket beside the polls: answered pings bound the age of a message, and a silent connection is dialled again.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { SocketListener } from '../../../../src/base/transport/transport.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import type { Trade } from '../../../../src/bot/domain/order.ts';
import { type PushMessage, PushSocket, pushStreams } from '../../../../src/venues/shared/push.ts';
import { BTC } from '../../world-builder.ts';

const BOOK: PushMessage = { kind: 'book', book: { market: 0, updateId: '1', bids: [], asks: [] } };

function dialled() {
  const clock = new VirtualClock(0);
  const lines: { listener: SocketListener; sent: string[]; closed: boolean }[] = [];
  const warnings: string[] = [];
  const source = {
    dial: (listener: SocketListener) => {
      const line = { listener, sent: [] as string[], closed: false };
      lines.push(line);
      return {
        send: (text: string) => void line.sent.push(text),
        close: () => {
          line.closed = true;
        },
      };
    },
    hello: () => ['hello'],
    ping: (number: number) => `ping ${number}`,
    read: (text: string): PushMessage | undefined => {
      if (text === 'rubbish') throw new Error('makes no sense');
      if (text === 'are you there?') return { kind: 'reply', text: 'yes' };
      return text.startsWith('pong') ? { kind: 'pong', number: Number(text.slice(5)) } : text === 'book' ? BOOK : undefined;
    },
  };
  const log = { info: () => undefined, warn: (text: string) => void warnings.push(text) };
  const received: { asked: number; at: number }[] = [];
  const subscription = new PushSocket({ clock, rng: rngFrom('push'), source, log }).pushed.subscribe(({ asked, at }) =>
    received.push({ asked, at }),
  );
  return { clock, lines, received, warnings, subscription, to: (moment: number) => clock.drive(moment) };
}

test('a message is as old as the last ping that was answered before it; before the first answer messages are dropped', async () => {
  const { lines, received, to } = dialled();
  const { listener, sent } = lines[0]!;
  listener.opened();
  expect(sent).toEqual(['hello', 'ping 1']);
  listener.message('book');
  await to(300);
  listener.message('pong 1');
  await to(400);
  listener.message('book');
  await to(1_500); // the second ping left at 1300, and has no answer yet
  listener.message('book');
  await to(1_600);
  listener.message('pong 2');
  listener.message('book');
  expect(sent).toEqual(['hello', 'ping 1', 'ping 2']);
  expect(received).toEqual([
    { asked: 0, at: 400 },
    { asked: 0, at: 1_500 },
    { asked: 1_300, at: 1_600 },
  ]);
});

test('the answer to an old ping does not count', async () => {
  const { lines, received, to } = dialled();
  lines[0]!.listener.opened();
  lines[0]!.listener.message('pong 1');
  await to(1_000);
  lines[0]!.listener.message('pong 1');
  await to(1_100);
  lines[0]!.listener.message('book');
  expect(received).toEqual([{ asked: 0, at: 1_100 }]);
});

test.each([
  ['that answers no ping', ({ listener }: { listener: SocketListener }) => listener.opened()],
  ['that never opens', () => undefined],
])('a connection %s is dialled again, logged once, and ignored from then on', async (_name, begin) => {
  const { lines, received, warnings, to } = dialled();
  begin(lines[0]!);
  await to(4_900);
  expect(lines).toHaveLength(1);
  await to(6_000);
  expect(lines[0]!.closed).toBe(true);
  expect(lines).toHaveLength(2);
  lines[0]!.listener.message('pong 1');
  lines[0]!.listener.message('book');
  expect(received).toEqual([]);
  await to(20_000);
  expect(lines.length).toBeGreaterThan(2);
  expect(warnings).toHaveLength(1);
});

test('an invalid message ends the connection; a new one begins without an answered ping', async () => {
  const { lines, received, to } = dialled();
  lines[0]!.listener.opened();
  lines[0]!.listener.message('pong 1');
  lines[0]!.listener.message('rubbish');
  await to(600);
  expect([lines[0]!.closed, lines.length]).toEqual([true, 2]);
  lines[1]!.listener.opened();
  lines[1]!.listener.message('book');
  expect(received).toEqual([]);
});

test('nothing is dialled after the end of the subscription', async () => {
  const { lines, subscription, to } = dialled();
  lines[0]!.listener.opened();
  subscription.unsubscribe();
  lines[0]!.listener.closed('gone');
  await to(60_000);
  expect([lines.length, lines[0]!.closed]).toEqual([1, true]);
});

test('trades, live info, and changes of the account are streams of their own', async () => {
  const trade: Trade = { tradeId: 't', market: 0, takerSide: 'bid', price: ticks(1), size: lots(1), time: 1 };
  const infos = [{ market: 0, frozen: false }];
  const messages: Readonly<Record<string, PushMessage>> = {
    trades: { kind: 'trades', market: 0, trades: [trade] },
    others: { kind: 'trades', market: 1, trades: [trade] },
    info: { kind: 'info', infos },
    changed: { kind: 'changed' },
  };
  const clock = new VirtualClock(0);
  let listener: SocketListener | undefined;
  const source = {
    dial: (given: SocketListener) => {
      listener = given;
      return { send: () => undefined, close: () => undefined };
    },
    hello: () => [],
    ping: String,
    read: (text: string): PushMessage | undefined => messages[text] ?? { kind: 'pong', number: 1 },
  };
  const log = { info: () => undefined, warn: () => undefined };
  const streams = pushStreams(source, { clock, rng: rngFrom('push'), log });
  const received: unknown[] = [];
  streams.tradesOf?.(BTC).subscribe((trades) => received.push(trades));
  streams.infos?.subscribe((seen) => received.push(seen));
  streams.changed?.subscribe(() => received.push('changed'));
  listener?.opened();
  listener?.message('pong');
  for (const text of Object.keys(messages)) listener?.message(text);
  expect(received).toEqual([[trade], { kind: 'seen', value: infos, asked: 0, at: 0 }, 'changed']);
});

test('a ping of the exchange is answered, but does not count as an answer', async () => {
  const { lines, received } = dialled();
  const { listener, sent } = lines[0]!;
  listener.opened();
  listener.message('are you there?');
  expect(sent).toEqual(['hello', 'ping 1', 'yes']);
  expect(received).toEqual([]);
});
