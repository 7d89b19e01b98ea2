// Targets of alerts (Telegram, Discord, Slack, ntfy, webhooks): parses the URL of a target, and makes the request that sends a message to it.
import { createHash, createHmac } from 'node:crypto';
import { UserError } from '../../../base/errors.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { HttpRequest } from '../../../base/transport/transport.ts';
import { bodyLines, type Message, messageText, mostSevere, titleOf } from './alert.ts';

export interface AlertTarget {
  /** For logs: the kind and the host, without secrets. */
  readonly name: string;
  readonly origin: string;
  request(message: Message): HttpRequest;
}

export interface TargetOptions {
  /** Signs the requests to a webhook; without it they are not signed. */
  readonly secret?: string | undefined;
  /** Addresses of the services, for tests. */
  readonly services?: Partial<Services> | undefined;
}

interface Services {
  readonly telegram: string;
  readonly discord: string;
  readonly slack: string;
  readonly ntfy: string;
}

const SERVICES: Services = {
  telegram: 'https://api.telegram.org',
  discord: 'https://discord.com',
  slack: 'https://hooks.slack.com',
  ntfy: 'https://ntfy.sh',
};

/** Maximum number of characters that the services accept. */
const MAX_TELEGRAM = 4_096;
const MAX_DISCORD = 2_000;
const MAX_NTFY = 4_000;

const FORMS =
  'tgram://BOT_TOKEN/CHAT_ID, discord://WEBHOOK_ID/WEBHOOK_TOKEN, slack://A/B/C, ntfy://TOPIC, ntfy://HOST/TOPIC, or https://… for a webhook';

/**
 * Returns the target of a URL. The message of its UserError does not contain the URL, which has a secret. Sources of the requests:
 * core.telegram.org/bots/api (sendMessage), discord.com/developers (execute webhook), api.slack.com/messaging/webhooks, docs.ntfy.sh/publish.
 */
export function targetOf(text: string, { secret, services = {} }: TargetOptions = {}): AlertTarget {
  const at = { ...SERVICES, ...services };
  const [scheme = '', rest = ''] = text.split(/:\/\/(.*)/s);
  const parts = rest.split('/').filter((part) => part !== '');
  switch (scheme) {
    case 'tgram':
      return telegram(at.telegram, requireParts(parts, 2, 'tgram://BOT_TOKEN/CHAT_ID'));
    case 'discord':
      return discord(at.discord, requireParts(parts, 2, 'discord://WEBHOOK_ID/WEBHOOK_TOKEN'));
    case 'slack':
      return slack(at.slack, requireParts(parts, 3, 'slack://A/B/C, the three parts at the end of the webhook URL'));
    case 'ntfy':
      return parts.length === 1
        ? ntfy(at.ntfy, parts)
        : ntfy(`https://${parts[0] ?? ''}`, requireParts(parts, 2, 'ntfy://HOST/TOPIC').slice(1));
    case 'http':
    case 'https':
      return webhook(text, secret);
    default:
      throw wrongTarget(`"${scheme}" is not a kind of target`, FORMS);
  }
}

function requireParts(parts: readonly string[], count: number, form: string): readonly string[] {
  if (parts.length === count && parts.every((part) => /^[\w:.@+-]+$/.test(part))) return parts;
  throw wrongTarget('the URL of an alert target does not have the parts that its kind needs', `write ${form}`);
}

const wrongTarget = (message: string, hint: string): UserError => new UserError({ code: 'notify', message, hint });

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const post = (path: string, value: unknown): HttpRequest => ({
  method: 'POST',
  path,
  body: encode(value),
  contentType: 'application/json',
});

const truncated = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`);

function telegram(origin: string, [token = '', chat = '']: readonly string[]): AlertTarget {
  return {
    name: 'telegram',
    origin,
    request: (message) =>
      post(`/bot${token}/sendMessage`, {
        chat_id: chat,
        text: truncated(messageText(message), MAX_TELEGRAM),
        link_preview_options: { is_disabled: true },
        disable_notification: mostSevere(message.alerts) === 'info',
      }),
  };
}

function discord(origin: string, [id = '', token = '']: readonly string[]): AlertTarget {
  return {
    name: 'discord',
    origin,
    request: (message) =>
      post(`/api/webhooks/${id}/${token}`, {
        username: 'tickwright',
        content: truncated(messageText(message), MAX_DISCORD),
        allowed_mentions: { parse: [] },
      }),
  };
}

function slack(origin: string, parts: readonly string[]): AlertTarget {
  return {
    name: 'slack',
    origin,
    request: (message) => post(`/services/${parts.join('/')}`, { text: escaped(messageText(message)), mrkdwn: false }),
  };
}

/** Escapes the three characters that Slack reads as markup. */
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const PRIORITIES = { alarm: 5, warning: 4, info: 2 } as const;

function ntfy(origin: string, [topic = '']: readonly string[]): AlertTarget {
  return {
    name: `ntfy at ${new URL(origin).host}`,
    origin,
    request: (message) =>
      post('/', {
        topic,
        title: titleOf(message),
        message: truncated(bodyLines(message).join('\n'), MAX_NTFY),
        priority: PRIORITIES[mostSevere(message.alerts)],
        sequence_id: createHash('sha256').update(message.id).digest('hex').slice(0, 32), // idempotent: a message with the same id replaces the first
      }),
  };
}

/**
 * Posts JSON to a URL of the user: `{ id, run, identity, page, severity, alerts: [{ at, kind, severity, text }], left }`; signed by HMAC-SHA256 of the body if there
 * is a secret.
 */
function webhook(text: string, secret: string | undefined): AlertTarget {
  if (!URL.canParse(text)) throw wrongTarget('the URL of a webhook cannot be read', 'write https://host/path');
  const url = new URL(text);
  return {
    name: `webhook at ${url.host}`,
    origin: url.origin,
    request({ id, run, identity, page, alerts, left }) {
      const times = alerts.map((alert) => ({ ...alert, at: timeText(alert.at) }));
      const request = post(`${url.pathname}${url.search}`, { id, run, identity, page, severity: mostSevere(alerts), alerts: times, left });
      if (secret === undefined) return request;
      const signature = createHmac('sha256', secret)
        .update(request.body ?? '')
        .digest('hex');
      return { ...request, headers: { 'x-tickwright-signature': `sha256=${signature}` } };
    },
  };
}
