import { createHash, createHmac } from 'node:crypto';
import * as v from 'valibot';

/** Least and most bytes of a secret (Standard Webhooks 1.0, "Signature scheme"). */
const minBytes = 24;
const maxBytes = 64;

/** Most secrets: while one replaces another, receivers know either. */
const maxSecrets = 2;

const secretsMessage = `must be one or two secrets, separated by a blank: whsec_ and ${minBytes} to ${maxBytes} bytes in base64.`;

/** Secrets of signatures as they are set, `whsec_…`, up to two. Become keys. */
export const webhookSecrets = v.pipe(
	v.string(),
	v.transform((text) => text.trim().split(/\s+/)),
	v.check((secrets) => secrets.length <= maxSecrets && secrets.every(isSecret), secretsMessage),
	v.transform((secrets) => secrets.map(keyOf)),
);

/**
 * Returns the headers of a message by Standard Webhooks 1.0. It has a signature for each key, and none without keys.
 * @param id the same in each attempt to send the message
 * @param at epoch milliseconds
 */
export function webhookHeaders(keys: readonly Buffer[], id: string, at: number, body: string): Readonly<Record<string, string>> {
	const timestamp = String(Math.floor(at / 1000));
	const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
	return {
		'webhook-id': id,
		'webhook-timestamp': timestamp,
		...(keys.length === 0 ? {} : { 'webhook-signature': signatures.join(' ') }),
	};
}

/**
 * Returns the id of a message: the same for equal keys, so that a receiver knows a message that was sent twice.
 * @param keys what the message is about
 */
export function messageIdOf(keys: readonly (string | number)[]): string {
	return `msg_${createHash('sha256').update(JSON.stringify(keys)).digest('base64url').slice(0, 27)}`;
}

function keyOf(secret: string): Buffer {
	return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

function isSecret(secret: string): boolean {
	const { length } = keyOf(secret);
	return /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) && length >= minBytes && length <= maxBytes;
}
