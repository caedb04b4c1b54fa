import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { DomainError } from '#domain/errors.ts';
import type { PasswordClient, Passwords } from '#domain/ports/accounts.ts';

/** 32 MiB for each hash (OWASP Password Storage Cheat Sheet: N 2^15, r 8, p 3). Rising it changes new hashes only. */
const costs = { logN: 15, r: 8, p: 3 } as const;

/** Hashes that are computed at once. libuv has four threads, and file and network access need some of them. */
const maxAtOnce = 2;

/** Hashes that may wait, some 5 s of work. Beyond them somebody guesses from many addresses, whom the limits of one do not stop. */
const maxWaiting = 40;

/** Hashes of one e-mail, and those from one source, that are computed or wait at once: one right password must not keep all others out. */
const maxOfEmail = 2;
const maxOfSource = 20;

const saltBytes = 16;
const keyBytes = 32;

/** A hash in the form of PHC strings, but in base64url. */
const form = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** `Passwords` by scrypt (RFC 7914) of Node.js: `$scrypt$ln=15,r=8,p=3$SALT$KEY`, both in base64url. */
export function createScryptPasswords(): Passwords {
	const inTurn = createTurns(maxAtOnce);
	/** What a password is compared with that has no hash. Nobody knows the password of random bytes. */
	const nobodys = textOf(randomBytes(saltBytes), randomBytes(keyBytes));
	return {
		hash: async (password) => {
			const salt = randomBytes(saltBytes);
			return textOf(salt, await inTurn(() => keyOf(password, salt, costs), null));
		},
		verify: async (password, hash, client) => {
			const found = form.exec(hash ?? '');
			const [, logN, r, p, salt = '', key = ''] = found ?? form.exec(nobodys) ?? [];
			const stored = Buffer.from(key, 'base64url');
			const given = { logN: Number(logN), r: Number(r), p: Number(p) };
			const computed = await inTurn(() => keyOf(password, Buffer.from(salt, 'base64url'), given), client);
			return found !== null && stored.length === computed.length && timingSafeEqual(stored, computed);
		},
	};
}

/** Unicode writes some letters in several ways, and keyboards differ. */
function keyOf(password: string, salt: Buffer, { logN, r, p }: { logN: number; r: number; p: number }): Promise<Buffer> {
	const N = 2 ** logN;
	return derive(password.normalize('NFKC'), salt, keyBytes, { N, r, p, maxmem: 2 * 128 * N * r });
}

function textOf(salt: Buffer, key: Buffer): string {
	const { logN, r, p } = costs;
	return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/**
 * Returns a function that runs at most `limit` works at once. The others wait in the order in which they came, but those of clients who have
 * signed in before go first. It throws DomainError `sign_in_blocked` where too many wait, of one client or of all.
 */
function createTurns(limit: number) {
	const known: (() => void)[] = [];
	const others: (() => void)[] = [];
	const held = new Map<string, number>();
	let running = 0;
	const take = (key: string, most: number): (() => void) => {
		const count = held.get(key) ?? 0;
		if (count >= most) throw new DomainError('sign_in_blocked', { retryAfterMs: 1000 });
		held.set(key, count + 1);
		return () => {
			const left = (held.get(key) ?? 1) - 1;
			if (left === 0) held.delete(key);
			else held.set(key, left);
		};
	};
	return async <Result>(work: () => Promise<Result>, client: PasswordClient | null): Promise<Result> => {
		const queue = client === null || client.isKnown ? known : others;
		if (queue.length >= maxWaiting) throw new DomainError('sign_in_blocked', { retryAfterMs: 5000 });
		using places = new DisposableStack();
		if (client !== null) {
			places.defer(take(`email ${client.email}`, maxOfEmail));
			places.defer(take(`source ${client.source}`, maxOfSource));
		}
		if (running >= limit) await new Promise<void>((resolve) => queue.push(resolve));
		else running += 1;
		try {
			return await work();
		} finally {
			// Whoever waits takes over the place.
			const next = known.shift() ?? others.shift();
			if (next === undefined) running -= 1;
			else next();
		}
	};
}
