import { type Signal, signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { api, type Failure, resultOf } from '#page/core/api.ts';
import { currentUptime, uptime } from '#page/core/clock.ts';
import type { Credentials } from '#page/core/credentials.ts';
import { languageChoices } from '#page/core/languages.ts';
import type { SignInWays } from '#page/core/openid-api.ts';
import { language, theme } from '#page/core/preferences.ts';
import { isSessionOf, session, signIn } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Checkbox } from '#page/parts/checkbox.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { shellText } from '#page/shell/texts.ts';
import { LeftHalf } from './left-half.tsx';
import { blockedMs, type FieldTexts, fieldRefusals, missingFields, refusalLine } from './refusal.ts';
import { signInText } from './texts.ts';

/** The credentials of the demo plant; null in a page without a demo. */
const demo: Credentials | null = demoCredentials === null ? null : JSON.parse(demoCredentials);

/** How people sign in here; null until the service has said so. */
const ways = signal<SignInWays | null>(null);

const OtherWays = lazyScreen(async () => (await import('#page/openid/openid.tsx')).OtherWays);

/** Asks the service how people sign in here. */
async function readWays(failure: Signal<Failure | null>): Promise<void> {
	const result = await resultOf(api.GET('/openIdProviders'));
	failure.value = result.ok ? null : result.failure;
	if (result.ok) ways.value = result.data.data;
}

interface SignInProps {
	/** Credentials that are already known. They are filled into the form. */
	readonly given: Partial<Credentials>;
	/** Whether a session has ended, and its screen waits below the form. */
	readonly isAgain?: boolean;
}

/** The sign-in form. */
export function SignIn({ given, isAgain = false }: SignInProps) {
	const text = signInText();
	const form = useRef<HTMLFormElement>(null);
	const typed = useSignal<Credentials>({ email: '', tokenApp: '', schemaName: '', tsdb_name: '', ...given });
	/** Whether the session is to survive a reload of the tab. */
	const isKept = useSignal(true);
	const isBusy = useSignal(false);
	/** Why the last request failed: how people sign in here, or a sign-in. */
	const failure = useSignal<Failure | null>(null);
	/** Until when the service refuses every sign-in, in milliseconds of `uptime`. */
	const blockedUntil = useSignal<number | null>(null);
	/** Whether empty fields are marked: after the first try. */
	const showsMissing = useSignal(false);
	useFirstField(form);
	useLayoutEffect(() => void (ways.value === null && readWays(failure)), []);

	const send = async (credentials: Credentials): Promise<void> => {
		isBusy.value = true;
		failure.value = await signIn(credentials, { isKept: isKept.value });
		isBusy.value = false;
		if (failure.value === null) return;
		const blocked = blockedMs(failure.value);
		blockedUntil.value = blocked === null ? null : currentUptime() + blocked;
		// The form is rendered in an earlier microtask. It marks the wrong fields then.
		queueMicrotask(() => focusFirst(form.current, (input) => input.ariaInvalid === 'true'));
	};
	const submit = (event: Event): void => {
		event.preventDefault();
		if (isBusy.value) return;
		showsMissing.value = true;
		const isComplete = Object.keys(missingFields(typed.value, text.required)).length === 0;
		if (isComplete) void send(typed.value);
		else queueMicrotask(() => focusFirst(form.current, (input) => input.value.trim() === ''));
	};
	const errors = {
		...(failure.value === null ? {} : fieldRefusals(failure.value)),
		...(showsMissing.value ? missingFields(typed.value, text.required) : {}),
	};
	const keep = (
		<Checkbox
			label={text.keep}
			checked={isKept.value}
			onToggle={(checked) => {
				isKept.value = checked;
			}}
		/>
	);
	const waitMs = blockedUntil.value === null ? 0 : Math.max(0, blockedUntil.value - uptime.value);
	return (
		<div class={isAgain ? 'sign-in over' : 'sign-in'}>
			{!isAgain && <LeftHalf />}
			<main>
				<form class="sign-in-form" ref={form} noValidate onSubmit={submit}>
					<h1>{isAgain ? text.again : text.title}</h1>
					{ways.value?.credentials && (
						<SignInFields
							typed={typed.value}
							errors={errors}
							onType={(part) => {
								typed.value = { ...typed.value, ...part };
							}}
						/>
					)}
					{!ways.value?.accounts && keep}
					<div role="alert">{failure.value !== null && <RefusalLine failure={failure.value} waitMs={waitMs} />}</div>
					{ways.value === null ? (
						failure.value !== null && <Button onClick={() => void readWays(failure)}>{commonText().again}</Button>
					) : (
						<>
							{ways.value.credentials && (
								<Button type="submit" look="primary" disabled={isBusy.value || waitMs > 0}>
									{isBusy.value ? text.submitting : text.submit}
								</Button>
							)}
							{(ways.value.accounts || ways.value.providers[0]) && (
								<OtherWays ways={ways.value} isKept={isKept.value} isAgain={isAgain}>
									{keep}
								</OtherWays>
							)}
						</>
					)}
					{demoCredentials !== null && offersDemo() && <DemoButton isBusy={isBusy.value} onOpen={send} />}
					<ViewChoice />
				</form>
			</main>
		</div>
	);
}

interface SignInFieldsProps {
	readonly typed: Credentials;
	readonly errors: FieldTexts;
	/** Gets the field that was typed into. */
	readonly onType: (part: Partial<Credentials>) => void;
}

/** The fields of the form: one for each part of the credentials. */
function SignInFields({ typed, errors, onType }: SignInFieldsProps) {
	const labels = { ...signInText(), schemaName: commonText().schema, tsdb_name: commonText().database };
	const fieldOf = (field: keyof Credentials) => (
		<TextField
			{...inputKinds[field]}
			label={labels[field]}
			error={errors[field]}
			name={field}
			spellcheck={false}
			value={typed[field]}
			onText={(value) => onType({ [field]: value })}
		/>
	);
	return (
		<>
			{fieldOf('email')}
			{fieldOf('tokenApp')}
			<div class="sign-in-pair">
				{fieldOf('schemaName')}
				{fieldOf('tsdb_name')}
			</div>
		</>
	);
}

/** The attributes of each input, which tell password managers how to fill it. */
const inputKinds = {
	email: { type: 'email', autocomplete: 'username' },
	tokenApp: { type: 'password', autocomplete: 'current-password' },
	schemaName: { autocomplete: 'on' },
	tsdb_name: { autocomplete: 'on' },
} as const;

/** The sentence about a failed sign-in: why it failed, or how long nobody can sign in. */
function RefusalLine({ failure, waitMs }: { readonly failure: Failure; readonly waitMs: number }) {
	const text = signInText();
	const isBlocked = blockedMs(failure) !== null;
	const line = isBlocked
		? { text: waitMs > 0 ? text.blocked(Math.ceil(waitMs / 1000)) : text.unblocked }
		: refusalLine(failure, text);
	if (line === null) return null;
	return (
		<p class="refusal" lang={line.lang}>
			<Icon name="q-bad" />
			{line.text}
		</p>
	);
}

/** Whether the demo is offered: not while a session of another tenant waits, whose edits would be lost. */
function offersDemo(): boolean {
	return demo !== null && (session.value === null || isSessionOf(session.value, demo));
}

/** The button that signs in to the demo plant. */
function DemoButton({ isBusy, onOpen }: { readonly isBusy: boolean; readonly onOpen: (credentials: Credentials) => void }) {
	const text = signInText();
	return (
		<>
			<p class="or">{text.or}</p>
			<Button disabled={isBusy} onClick={() => demo !== null && onOpen(demo)}>
				{text.demo}
			</Button>
			<p class="field-hint">{text.demoHint}</p>
		</>
	);
}

/** Moves the focus to the first empty field, and, after signing in, back to the element that had the focus before. */
function useFirstField(form: RefObject<HTMLFormElement | null>): void {
	useLayoutEffect(() => {
		const before = document.activeElement;
		return () => queueMicrotask(() => before instanceof HTMLElement && before.isConnected && before.focus());
	}, []);
	// The fields are drawn when the service has said that there are some.
	useLayoutEffect(() => focusFirst(form.current, (input) => input.value === ''), [ways.value]);
}

/** Focuses the first field that is wanted, or the first one. */
function focusFirst(form: HTMLFormElement | null, isWanted: (input: HTMLInputElement) => boolean): void {
	const inputs = [...(form?.querySelectorAll<HTMLInputElement>('input[name]') ?? [])];
	(inputs.find(isWanted) ?? inputs[0])?.focus();
}

/** The choices of language and theme, for people who are not signed in yet. */
function ViewChoice() {
	const other = isDark() ? 'light' : 'dark';
	return (
		<div class="view-choice">
			{languageChoices.map(({ value, label }) => (
				<Button
					key={value}
					look="quiet"
					small
					lang={value}
					aria-pressed={language.value === value}
					onClick={() => {
						language.value = value;
					}}
				>
					{label}
				</Button>
			))}
			<Button
				look="quiet"
				small
				onClick={() => {
					theme.value = other;
				}}
			>
				{shellText().themes[other]}
			</Button>
		</div>
	);
}

/** Whether the page is shown in the dark theme now. */
function isDark(): boolean {
	if (theme.value === 'system') return matchMedia('(prefers-color-scheme: dark)').matches;
	return theme.value === 'dark';
}
