import { effect, signal, untracked } from '@preact/signals';
import { api, resultOf } from '#page/core/api.ts';
import { currentUptime, uptime } from '#page/core/clock.ts';
import { adoptSession, expired, type Session, session } from '#page/core/session.ts';
import { claimsIn } from '#page/core/token-times.ts';
import { messages } from '#page/i18n/i18n.ts';

/** The time between two tries while the service cannot be reached or fails. */
const retryMs = 30_000;

/** The time between two tries after a refusal. An administrator may give the machine more time, but a wrong secret stays wrong. */
const refusedMs = 600_000;

/** The scope of a machine that only reads (shared/domain/access/README.md#roles). */
const readScope = 'read';

const doorText = messages({
	en: {
		signing: 'The wall is signing in…',
		unreachable: 'The service cannot be reached. The wall tries again by itself.',
		refused: 'This wall may not sign in: its secret is wrong or was removed, or its machine is deleted or has ended.',
		refusedAct:
			'An administrator gives the machine more time, or a new secret, on the screen Access. Open the wall with the address that has the new secret.',
		role: 'The machine of this wall may do more than look.',
		roleAct: 'An administrator makes a machine with the role viewer on the screen Access. Open the wall with its address.',
	},
	es: {
		signing: 'La pantalla mural está entrando…',
		unreachable: 'No se puede conectar con el servicio. La pantalla lo intenta de nuevo por sí sola.',
		refused: 'Esta pantalla no puede entrar: su secreto es erróneo o se ha eliminado, o su máquina está borrada o ha caducado.',
		refusedAct:
			'Un administrador da más tiempo a la máquina, o un secreto nuevo, en la pantalla Accesos. Abra la pantalla mural con la dirección que tiene el secreto nuevo.',
		role: 'La máquina de esta pantalla puede hacer más que mirar.',
		roleAct:
			'Un administrador crea una máquina con el rol consulta en la pantalla Accesos. Abra la pantalla mural con su dirección.',
	},
});

/** Why the machine is not signed in. Null: it is, or nothing is known yet. */
const refusal = signal<'unreachable' | 'refused' | 'role' | null>(null);

/**
 * Exchanges the credentials of a machine for a token, and again after half of each token's lifetime, until the session is left.
 * @param key the credentials as a form
 * @param forget removes the credentials from this browser
 * @param leave lets people sign in again
 */
export function startWallSession(key: string, forget: () => void, leave: () => void): void {
	/** When the service was last asked, in milliseconds of `uptime`, and how long to wait then. */
	let [askedAt, waitMs] = [0, 0];
	let wasSignedIn = false;
	const ask = async (): Promise<void> => {
		[askedAt, waitMs] = [currentUptime(), Number.POSITIVE_INFINITY];
		const answer = await exchange(key);
		refusal.value = typeof answer === 'string' ? answer : null;
		if (typeof answer !== 'string') {
			waitMs = answer.lifetimeMs / 2;
			adoptSession(answer.session);
		} else if (answer === 'role') {
			waitMs = Number.POSITIVE_INFINITY;
			forget();
		} else waitMs = answer === 'refused' ? refusedMs : retryMs;
	};
	const stop = effect(() => {
		wasSignedIn ||= session.value !== null;
		if (wasSignedIn && session.value === null) {
			// Somebody signed out, or a portal opened the console for a person.
			queueMicrotask(() => stop());
			leave();
			return;
		}
		// A token may be refused before its end.
		const dueMs = expired.value && refusal.value === null ? retryMs : waitMs;
		if (uptime.value - askedAt >= dueMs) untracked(() => void ask());
	});
}

/** Says that the machine of a wall is signing in, or why it is not. The values of a session that has ended stay below it. */
export function WallDoor() {
	const text = doorText();
	const found = refusal.value;
	return (
		<div class="sign-in over wall">
			<main>
				<div class="sign-in-form" role="status">
					<h1>{text[found ?? 'signing']}</h1>
					{(found === 'refused' || found === 'role') && <p>{text[`${found}Act`]}</p>}
				</div>
			</main>
		</div>
	);
}

/** Asks the service for a token. Returns the session of a machine that only reads, and how long its token lives; or why there is none. */
async function exchange(
	key: string,
): Promise<{ readonly session: Session; readonly lifetimeMs: number } | 'unreachable' | 'refused' | 'role'> {
	const { client_id = '', client_secret = '' } = Object.fromEntries(new URLSearchParams(key));
	const body = { grant_type: 'client_credentials', client_id, client_secret } as const;
	const result = await resultOf(
		api.POST('/token', {
			body,
			bodySerializer: () => new URLSearchParams(body).toString(),
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
		}),
	);
	if (!result.ok) return result.failure.status === 400 || result.failure.status === 401 ? 'refused' : 'unreachable';
	const { access_token: token, expires_in: seconds, scope } = result.data;
	if (scope !== readScope) return 'role';
	const claims = claimsIn(token);
	const textOf = (name: string): string => String(Object.getOwnPropertyDescriptor(claims, name)?.value ?? '');
	return {
		session: { token, email: textOf('name'), schema: textOf('schema'), database: textOf('tsdb'), role: 'viewer' },
		lifetimeMs: seconds * 1000,
	};
}
