import { signal, useSignal } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { api, resultOf } from '#page/core/api.ts';
import type { OpenIdAnswer, SignInWays } from '#page/core/openid-api.ts';
import { goTo, leaveGuard, mayLeave } from '#page/core/route.ts';
import { isSessionKept, leaveSession, openIdSessionOf, session, signOut, startSession } from '#page/core/session.ts';
import { keptByTab } from '#page/core/storage.ts';
import { Button } from '#page/parts/button.tsx';
import { LeftHalf } from '#page/screens/sign-in/left-half.tsx';
import { signInText } from '#page/screens/sign-in/texts.ts';
import { laterStyles } from '#page/shell/later-styles.ts';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import {
	authorizationAddress,
	type Beginning,
	codeOf,
	type Ended,
	type Flow,
	isEnded,
	isWaitedFor,
	keepFlow,
	newFlow,
	takeFlow,
	takeKept,
} from './flow.ts';
import { type Plant, PlantList, plantText } from './plant-list.tsx';
import { signOutKey } from './sign-out.ts';
import { openIdText } from './texts.ts';
import { Trouble, trouble } from './trouble.tsx';

/** The key under which a tab tells a window that it opens whose session has ended. */
const againKey = 'caudal.again';

const AccountForm = lazyScreen(async () => (await import('#page/accounts/account-form.tsx')).AccountForm);

interface OpenIdButtonsProps {
	readonly ways: SignInWays;
	/** Whether this tab is to stay signed in after a reload. */
	readonly isKept: boolean;
	/** Whether a session has ended, and its screen waits below the form. */
	readonly isAgain: boolean;
}

interface OtherWaysProps extends OpenIdButtonsProps {
	/** What stands between the fields of an account and their button. */
	readonly children: ComponentChildren;
}

/** The ways to sign in beside the credentials of the identity provider: accounts of the service itself, and providers. */
export function OtherWays({ children, ...rest }: OtherWaysProps) {
	const { credentials, accounts, providers } = rest.ways;
	const { isKept, isAgain } = rest;
	return (
		<>
			{accounts && credentials && <p class="or">{signInText().or}</p>}
			{accounts && (
				<AccountForm isKept={isKept} isAgain={isAgain} isAlone={!credentials}>
					{children}
				</AccountForm>
			)}
			{providers.length > 0 && <OpenIdButtons {...rest} />}
		</>
	);
}

/** A button for each provider, and why the last try failed. */
function OpenIdButtons({ ways: { credentials, accounts, consoleUrl, providers }, isKept, isAgain }: OpenIdButtonsProps) {
	const text = openIdText();
	const hasFields = credentials || accounts;
	const isBusy = useSignal(false);
	const buttons = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		if (!hasFields) buttons.current?.querySelector('button')?.focus();
		return () => {
			trouble.value = null;
		};
	}, []);
	const start = async (provider: string): Promise<void> => {
		if (isBusy.value || openWindow(provider, isAgain, consoleUrl) || !mayLeave()) return;
		// The person has agreed to lose the edits.
		leaveGuard.editor = null;
		const { hash } = location;
		if (!isAt(consoleUrl)) return location.assign(`${consoleUrl}?signIn=${provider}${isKept ? '' : '&keep=no'}${hash}`);
		isBusy.value = true;
		const address = await begin({ provider, again: isAgain ? ended() : null, isWindow: false, isKept, hash });
		isBusy.value = false;
		if (address !== null) location.assign(address);
	};
	return (
		<>
			{hasFields && <p class="or">{signInText().or}</p>}
			<div class="stack openid" ref={buttons}>
				<Trouble />
				{providers.map(({ name, label }) => (
					<Button key={name} aria-disabled={isBusy.value} onClick={() => void start(name)}>
						{text.signInWith(label)}
					</Button>
				))}
				{isAgain && (
					<Button look="quiet" onClick={() => mayLeave() && leaveSessionForAnother()}>
						{text.asAnother}
					</Button>
				)}
			</div>
		</>
	);
}

/**
 * Does what the address asks for that the page was loaded with: begins a sign-in (`signIn`), or takes the answer of a provider. Resolves when
 * the page may begin; never in a window that was opened for the answer only.
 * @param hash of the address, which may be a link to set a password
 */
export async function takeAddress(search: string, hash: string): Promise<void> {
	if (hash.startsWith('#set-password=')) return (await import('#page/accounts/set-password.tsx')).takeLink(hash);
	const query = new URLSearchParams(search);
	const provider = query.get('signIn');
	if (provider !== null) return beginHere(provider, query.get('keep') !== 'no');
	const flow = takeFlow();
	const answer = flow === null ? null : codeOf(query, flow, Date.now());
	if (!query.has('code') && takeKept(signOutKey) === query.get('state')) trouble.value = 'signedOut';
	if (flow === null || answer === null) return;
	goTo(flow.hash, { replace: true });
	if (answer === 'refused') trouble.value = 'refused';
	else {
		show();
		await redeem(flow, answer.code);
	}
	await end(flow.isWindow);
}

/** What a window that signs in shows, beside the trouble. */
const step = signal<'signing' | 'done' | { readonly plants: readonly Plant[]; readonly choose: (plant: Plant) => void }>(
	'signing',
);

/** The page while somebody signs in: nothing of the console has begun. */
function SigningIn() {
	const now = step.value;
	const isOver = trouble.value !== null && typeof now === 'string';
	return (
		<div class="sign-in">
			<LeftHalf />
			<main>
				<div class="sign-in-form openid" role="status">
					<h1>
						{isOver
							? signInText().title
							: now === 'signing'
								? signInText().submitting
								: now === 'done'
									? openIdText().done
									: plantText().choose}
					</h1>
					<Trouble />
					{typeof now === 'object' && <PlantList plants={now.plants} isBusy={false} onChoose={now.choose} />}
					{isOver && <Button onClick={() => close()}>{openIdText().closeWindow}</Button>}
				</div>
			</main>
		</div>
	);
}

/** Shows `SigningIn` in place of the words of index.html. */
function show(): void {
	const root = document.getElementById('console');
	// Preact does not notice that its own elements are taken away.
	root?.querySelector('.opening')?.remove();
	if (root !== null) render(<SigningIn />, root);
	laterStyles().catch(() => undefined);
}

/** Lets the page begin; a window that was opened for signing in only says what came of it instead, for ever. */
function end(isWindow: boolean): Promise<void> {
	const root = document.getElementById('console');
	if (isWindow) show();
	else if (root !== null) render(null, root);
	return isWindow ? new Promise(() => undefined) : Promise.resolve();
}

/** Begins a sign-in in a page that was loaded for it. An address cannot end the session of this tab. */
async function beginHere(provider: string, isKept: boolean): Promise<void> {
	// Whose session has ended in the tab that opened this window.
	const kept = takeKept(againKey);
	const again = isEnded(kept) ? kept : null;
	if (again === null && isSessionKept()) return;
	// The window's own copy of it.
	if (again !== null) leaveSession();
	show();
	const isWindow = again !== null;
	const address = await begin({ provider, again, isWindow, isKept, hash: location.hash });
	if (address !== null) location.replace(address);
	return end(isWindow || address !== null);
}

/** Returns the person and the tenant of the session that has ended. */
function ended(): Ended | null {
	if (session.value?.tenants === undefined) return null;
	const { email, schema, database } = session.value;
	return { email, schema, database };
}

/**
 * Opens a window that signs in again, so that nothing of this tab is lost. It must be opened within the click. Returns whether it was: a
 * browser may block it, and only a person of a provider can be known again.
 */
function openWindow(provider: string, isAgain: boolean, consoleUrl: string | null): boolean {
	const again = isAgain && isAt(consoleUrl) ? ended() : null;
	if (again === null) return false;
	// The window gets a copy of this tab's storage.
	keptByTab.write(againKey, JSON.stringify(again));
	const opened = open(`?signIn=${provider}`, '_blank', 'popup,width=560,height=760');
	keptByTab.remove(againKey);
	return opened !== null;
}

/** Gives up the session that has ended, so that another person can sign in. */
function leaveSessionForAnother(): void {
	leaveGuard.editor = null;
	signOut();
}

/** Whether this page has the address to which providers send people back. */
function isAt(consoleUrl: string | null): boolean {
	// Without providers there is no such address, and nobody asks.
	const { origin, pathname } = new URL(consoleUrl ?? location.href);
	return origin === location.origin && pathname === location.pathname;
}

/** Begins a flow. Returns the address at the provider; null where there is trouble. */
async function begin(beginning: Beginning): Promise<string | null> {
	trouble.value = isSecureContext ? null : 'insecure';
	if (!isSecureContext) return null;
	const result = await resultOf(api.GET('/openIdProvider', { params: { query: { name: beginning.provider } } }));
	if (!result.ok) {
		trouble.value = result.failure;
		return null;
	}
	const flow = newFlow(beginning, result.data.data, Date.now());
	if (keepFlow(flow)) return authorizationAddress(result.data.data, flow);
	trouble.value = 'noStorage';
	return null;
}

/** Exchanges a code for a session. Where the person has several plants, asks for one. */
async function redeem({ provider, verifier: codeVerifier, nonce, again, isWindow, isKept }: Flow, code: string): Promise<void> {
	const tenant = again === null ? {} : { schemaName: again.schema, tsdb_name: again.database };
	const result = await resultOf(api.POST('/signInOpenId', { body: { provider, code, codeVerifier, nonce, ...tenant } }));
	if (!result.ok) {
		trouble.value = result.failure;
		return;
	}
	const found = openIdSessionOf(result.data);
	const isKnown = again !== null && isWaitedFor(found, again);
	if (isWindow && isKnown) {
		// The tabs take it over as they do a session that another tab has renewed (core/session-tabs.ts).
		new BroadcastChannel('caudal.session').postMessage({ event: 'signedIn', session: found });
		step.value = 'done';
		close();
	} else if (isWindow) {
		trouble.value = { somebodyElse: result.data.user.name };
		void api.POST('/signOut', { headers: { authorization: `Bearer ${found.token}` } }).catch(() => undefined);
	} else if (isKnown || result.data.tenants.length < 2) startSession(found, isKept);
	else startSession(openIdSessionOf(await chosenPlant(result.data)), isKept);
}

/** Asks for one of several plants. Resolves to the session in it. */
function chosenPlant(answer: OpenIdAnswer): Promise<OpenIdAnswer> {
	return new Promise((resolve) => {
		const choose = async ({ schemaName, tsdb_name }: Plant): Promise<void> => {
			if (schemaName === answer.tenant.schemaName && tsdb_name === answer.tenant.tsdb_name) return resolve(answer);
			const headers = { authorization: `Bearer ${answer.token}` };
			const result = await resultOf(api.POST('/renewOpenId', { body: { schemaName, tsdb_name }, headers }));
			trouble.value = result.ok ? null : result.failure;
			if (result.ok) resolve(result.data);
		};
		step.value = { plants: answer.tenants, choose: (plant) => void choose(plant) };
	});
}
