// Alerts: the request for each target, and that each alert arrives once and in order, however its target fails.
import { describe, expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { serve } from '../../../src/base/server/http.ts';
import { httpTransport } from '../../../src/base/transport/http.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../../src/base/transport/transport.ts';
import { type Alert, type Message, messageText, type Severity } from '../../../src/program/monitoring/alerts/alert.ts';
import { TargetSender, type TargetSenderOptions } from '../../../src/program/monitoring/alerts/sender.ts';
import { targetOf } from '../../../src/program/monitoring/alerts/targets.ts';

const START = Date.UTC(2026, 0, 2, 3, 4, 5);
const alert = (text: string, severity: Severity = 'alarm', at = START): Alert => ({ at, kind: 'alarm', severity, text });
const MESSAGE: Message = {
  run: 'grid-hosted',
  alerts: [alert('ghost BTCUSDC: an order <turned> up & "rests"')],
  left: 0,
  id: 'grid-hosted-1',
};
const bodyOf = (request: HttpRequest): unknown => JSON.parse(new TextDecoder().decode(request.body));

describe('targets', () => {
  const TEXT = 'grid-hosted\n03:04:05 UTC ALARM: ghost BTCUSDC: an order <turned> up & "rests"';

  test.each([
    [
      'tgram://123456:ABC-DEF/-1001',
      'telegram',
      'https://api.telegram.org',
      '/bot123456:ABC-DEF/sendMessage',
      { chat_id: '-1001', text: TEXT, link_preview_options: { is_disabled: true }, disable_notification: false },
    ],
    [
      'discord://42/to-ken',
      'discord',
      'https://discord.com',
      '/api/webhooks/42/to-ken',
      { username: 'tickwright', content: TEXT, allowed_mentions: { parse: [] } },
    ],
    [
      'slack://T0/B0/x1',
      'slack',
      'https://hooks.slack.com',
      '/services/T0/B0/x1',
      { text: TEXT.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;'), mrkdwn: false },
    ],
    [
      'ntfy://my-bot',
      'ntfy at ntfy.sh',
      'https://ntfy.sh',
      '/',
      { topic: 'my-bot', title: 'grid-hosted', message: TEXT.slice(12), priority: 5, sequence_id: '064d381dec3d8ee369564ac4089b8b49' },
    ],
    [
      'ntfy://ntfy.example/my-bot',
      'ntfy at ntfy.example',
      'https://ntfy.example',
      '/',
      { topic: 'my-bot', title: 'grid-hosted', message: TEXT.slice(12), priority: 5, sequence_id: '064d381dec3d8ee369564ac4089b8b49' },
    ],
    [
      'https://hooks.example/a?b=1',
      'webhook at hooks.example',
      'https://hooks.example',
      '/a?b=1',
      {
        id: 'grid-hosted-1',
        run: 'grid-hosted',
        severity: 'alarm',
        alerts: [{ at: '2026-01-02T03:04:05.000Z', kind: 'alarm', severity: 'alarm', text: MESSAGE.alerts[0]?.text }],
        left: 0,
      },
    ],
  ])('%s', (url, name, origin, path, body) => {
    const target = targetOf(url);
    const request = target.request(MESSAGE);
    expect([target.name, target.origin, request.method, request.path, bodyOf(request)]).toEqual([name, origin, 'POST', path, body]);
  });

  test.each([
    'tgram://secret',
    'discord://secret',
    'slack://secret/b',
    'ntfy://',
    'mailto://secret',
    'secret',
    'tgram://secret/b c',
    'https://',
  ])('the error in %s is explained without repeating it', (url) => {
    let message = '';
    try {
      targetOf(url);
    } catch (error) {
      message = String(error);
    }
    expect(message).not.toBe('');
    expect(message).not.toContain('secret/');
  });

  test('a message has the identity of its run and the address of its page, so that runs of one name can be distinguished', () => {
    const message: Message = { ...MESSAGE, identity: 'practice, account 12', page: 'http://127.0.0.1:9000' };
    expect(messageText(message)).toBe(
      'grid-hosted (practice, account 12)\n03:04:05 UTC ALARM: ghost BTCUSDC: an order <turned> up & "rests"\npage: http://127.0.0.1:9000',
    );
    expect(bodyOf(targetOf('ntfy://my-bot').request(message))).toMatchObject({ title: 'grid-hosted (practice, account 12)' });
    expect(bodyOf(targetOf('https://hooks.example/x').request(message))).toMatchObject({
      run: 'grid-hosted',
      identity: 'practice, account 12',
    });
  });

  test('a webhook with a secret is signed by HMAC-SHA256 of its body', () => {
    // Checked against: printf '%s' BODY | openssl dgst -sha256 -hmac key
    const request = targetOf('https://hooks.example/a', { secret: 'key' }).request({ ...MESSAGE, alerts: [] });
    expect(new TextDecoder().decode(request.body)).toBe(
      '{"id":"grid-hosted-1","run":"grid-hosted","severity":"info","alerts":[],"left":0}',
    );
    expect(request.headers).toEqual({
      'x-tickwright-signature': 'sha256=5859e78ddcd4c6e31894212614e165511dc8727b984f9f481f881832cea1c9f7',
    });
  });

  test('a text that is too long for a service is cut', () => {
    const request = targetOf('discord://1/t').request({ ...MESSAGE, alerts: [alert('x'.repeat(5_000))] });
    expect((bodyOf(request) as { content: string }).content).toHaveLength(2_000);
  });
});

/** A target whose answers the test sets. */
class FakeTarget implements Transport {
  readonly sent: { readonly at: number; readonly texts: readonly string[]; readonly left: number; readonly id: string }[] = [];
  answer: () => HttpReply | TransportError = () => reply(200);
  attempts = 0;
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  request(request: HttpRequest): Promise<HttpReply> {
    this.attempts += 1;
    const answer = this.answer();
    if (answer instanceof TransportError) return Promise.reject(answer);
    if (answer.status === 200) {
      const { alerts, left, id } = bodyOf(request) as { alerts: readonly Alert[]; left: number; id: string };
      this.sent.push({ at: this.#clock.now() - START, texts: alerts.map(({ text }) => text), left, id });
    }
    return Promise.resolve(answer);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const reply = (status: number, retryAfter?: number): HttpReply => ({ status, contentType: '', body: new Uint8Array(), retryAfter });

function sending(options: Partial<TargetSenderOptions> = {}) {
  const clock = new VirtualClock(START);
  const target = new FakeTarget(clock);
  const warnings: string[] = [];
  const sender = new TargetSender({
    target: targetOf('https://hooks.example/secret-path'),
    transport: target,
    clock,
    run: 'grid',
    log: { warn: (text) => warnings.push(text) },
    groupMs: 30_000,
    mostAnHour: 20,
    ...options,
  });
  return { clock, target, sender, warnings };
}

describe('sender', () => {
  test('an alarm is sent at once with everything that waits; other alerts are collected', async () => {
    const { clock, target, sender } = sending();
    sender.add(alert('a', 'info'));
    await clock.drive(clock.now() + 10_000);
    sender.add(alert('b', 'warning'));
    await clock.drive(clock.now() + 20_000);
    expect(target.sent).toMatchObject([{ at: 30_000, texts: ['a', 'b'] }]);
    sender.add(alert('c', 'info'));
    sender.add(alert('d'));
    await clock.drive(clock.now() + 1);
    expect(target.sent[1]).toMatchObject({ texts: ['c', 'd'] });
  });

  test.each([
    ['is gone', () => new TransportError('notSent', 'refused')],
    ['loses replies', () => new TransportError('noReply', 'reset')],
    ['fails', () => reply(503)],
  ])('a target that %s for an hour gets each alert once, in order, within 10 s after it is back', async (_, answer) => {
    const { clock, target, sender, warnings } = sending();
    target.answer = answer;
    for (let number = 0; number < 30; number++) {
      sender.add(alert(String(number)));
      await clock.drive(clock.now() + 120_000);
    }
    expect(target.sent).toEqual([]);
    expect(target.attempts).toBeLessThan(600);
    target.answer = () => reply(200);
    await clock.drive(clock.now() + 10_000);
    expect(target.sent.flatMap(({ texts }) => texts)).toEqual(Array.from({ length: 30 }, (__, number) => String(number)));
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThan(10);
    expect(warnings.join()).not.toContain('secret');
  });

  test('a target with Retry-After is tried again after that time, at most a minute', async () => {
    const { clock, target, sender } = sending();
    target.answer = () => reply(429, 3_600);
    sender.add(alert('a'));
    await clock.drive(clock.now() + 59_999);
    expect(target.attempts).toBe(1);
    await clock.drive(clock.now() + 1);
    expect(target.attempts).toBe(2);
  });

  test.each([403, 404])('a message that a target refuses once with %i arrives', async (status) => {
    const { clock, target, sender } = sending();
    target.answer = () => reply(status);
    sender.add(alert('a'));
    await clock.drive(clock.now() + 1);
    target.answer = () => reply(200);
    await clock.drive(clock.now() + 10_000);
    expect(target.sent.map(({ texts }) => texts)).toEqual([['a']]);
  });

  test('a message that a target continues to refuse is sent a bounded number of times; the log and the next message say that it was dropped', async () => {
    const { clock, target, sender, warnings } = sending();
    target.answer = () => reply(404);
    sender.add(alert('a'));
    await clock.drive(clock.now() + 240_000);
    expect(target.attempts).toBeLessThan(10);
    await clock.drive(clock.now() + 10_000);
    expect(target.attempts).toBe(10);
    expect(warnings).toEqual([
      expect.stringContaining('do not arrive: it answered 404'),
      expect.stringMatching(/^an alert to .* dropped after 10 attempts: it answered 404$/),
    ]);
    await clock.drive(clock.now() + 3_600_000);
    expect(target.attempts).toBe(10);
    target.answer = () => reply(200);
    sender.add(alert('b'));
    await clock.drive(clock.now() + 1);
    expect(target.sent).toMatchObject([{ texts: ['b'], left: 1 }]);
  });

  test('the number of messages per hour is limited; later ones are sent together', async () => {
    const { clock, target, sender } = sending({ mostAnHour: 3 });
    for (let minute = 0; minute < 60; minute++) {
      sender.add(alert(String(minute)));
      await clock.drive(clock.now() + 60_000);
    }
    expect(target.sent.filter(({ at }) => at < 3_600_000)).toHaveLength(3);
    await clock.drive(clock.now() + 7_200_000);
    const texts = target.sent.flatMap((message) => message.texts);
    expect(texts).toEqual(Array.from({ length: 60 }, (_, minute) => String(minute)));
    expect(new Set(target.sent.map(({ id }) => id)).size).toBe(target.sent.length);
  });

  test('a bounded number waits; others are counted, and alarms are kept longest', async () => {
    const { clock, target, sender } = sending();
    target.answer = () => reply(503);
    sender.add(alert('first'));
    for (let number = 0; number < 300; number++) sender.add(alert(`info ${number}`, 'info'));
    sender.add(alert('last'));
    await clock.drive(clock.now() + 1_000);
    target.answer = () => reply(200);
    await clock.drive(clock.now() + 60_000);
    const texts = target.sent.flatMap((message) => message.texts);
    expect(texts).toHaveLength(201);
    expect([texts[0], texts.at(-1)]).toEqual(['first', 'last']);
    expect(target.sent.reduce((sum, { left }) => sum + left, 0)).toBe(101);
  });

  test('the end of a run sends what waits, and waits for a dead target for a bounded time', async () => {
    const { clock, target, sender } = sending({ mostAnHour: 1 });
    sender.add(alert('a'));
    await clock.drive(clock.now() + 1);
    sender.add(alert('the end', 'info'));
    const closed = sender.close(3_000);
    await clock.drive(clock.now() + 1);
    await closed;
    expect(target.sent.map(({ texts }) => texts)).toEqual([['a'], ['the end']]);

    const dead = sending();
    dead.target.answer = () => new TransportError('notSent', 'refused');
    dead.sender.add(alert('b'));
    let ended = false;
    void dead.sender.close(3_000).then(() => (ended = true));
    await dead.clock.drive(dead.clock.now() + 2_999);
    expect(ended).toBe(false);
    await dead.clock.drive(dead.clock.now() + 1);
    expect(ended).toBe(true);
    const { attempts } = dead.target;
    await dead.clock.drive(dead.clock.now() + 60_000);
    expect(dead.target.attempts).toBeLessThanOrEqual(attempts + 1);
  });
});

test('over HTTP, to a server of this machine', async () => {
  const got: HttpRequest[] = [];
  const served = await serve(
    (request) => {
      got.push(request);
      return reply(204);
    },
    { port: 0, host: '127.0.0.1', onBug: (thrown) => expect.fail(String(thrown)) },
  );
  onTestFinished(() => served.close());
  const target = targetOf('tgram://1:a/2', { services: { telegram: served.url } });
  const transport = httpTransport({ origin: target.origin, connections: 1 });
  const { sender } = sending({ target, transport });
  sender.add(alert('now'));
  while (got.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await sender.close(0);
  expect(got[0]).toMatchObject({ method: 'POST', path: '/bot1:a/sendMessage', contentType: 'application/json' });
});
