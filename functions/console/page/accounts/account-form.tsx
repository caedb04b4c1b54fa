import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { addressCredentials } from '#page/core/address-credentials.ts';
import { access, api, type Failure, resultOf } from '#page/core/api.ts';
import { openIdSessionOf, session, startSession } from '#page/core/session.ts';
import { Button } from '#page/parts/button.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { signInText } from '#page/screens/sign-in/texts.ts';
import { SecondFactor } from './second-factor.tsx';
import { accountText, failedText } from './texts.ts';

interface AccountFormProps {
	/** Whether this tab is to stay signed in after a reload. */
	readonly isKept: boolean;
	/** Whether a session has ended, and its screen waits below the form. */
	readonly isAgain: boolean;
	/** Whether the form around has no other fields. */
	readonly isAlone: boolean;
	/** What stands between the fields and the button. */
	readonly children: ComponentChildren;
}

/** The fields of people with accounts of the service itself, in the form around them. */
export function AccountForm({ isKept, isAgain, isAlone, children }: AccountFormProps) {
	const [text, words] = [accountText(), signInText()];
	const fields = useRef<HTMLDivElement>(null);
	const email = useSignal(isAgain ? endedEmail() : (addressCredentials.value.email ?? ''));
	const password = useSignal('');
	const isBusy = useSignal(false);
	const failure = useSignal<Failure | null>(null);
	const showsMissing = useSignal(false);
	const code = useSignal('');
	/** Whether the account has a second factor, or one is being set up. */
	const factor = useSignal<'asked' | 'setUp' | null>(null);
	const missing = (value: string): string | undefined => (showsMissing.value && value === '' ? words.required : undefined);

	const send = async (): Promise<void> => {
		isBusy.value = true;
		access.token = null;
		const body = {
			email: email.value,
			password: password.value,
			code: code.value.trim() || null,
			...(isAgain ? endedTenant() : {}),
		};
		const result = await resultOf(api.POST('/signInPassword', { body }));
		const refusal = result.ok ? undefined : Object.values(result.failure.errors)[0]?.code;
		if (refusal === 'code_required') factor.value = 'asked';
		if (refusal === 'second_factor_required') factor.value = 'setUp';
		const isNextStep = refusal === 'code_required' || refusal === 'second_factor_required';
		failure.value = result.ok || isNextStep ? null : result.failure;
		isBusy.value = false;
		// Who may use several plants changes to another one in the rail.
		if (result.ok) startSession(openIdSessionOf(result.data), isKept);
	};
	const submit = (event: SubmitEvent): void => {
		const isOurs = [event.submitter, document.activeElement].some((each) => fields.current?.contains(each) === true);
		if (!isAlone && !isOurs) return;
		event.preventDefault();
		// The form around has fields of its own, or does nothing.
		event.stopImmediatePropagation();
		if (!isBusy.value && factor.value !== 'setUp' && isComplete()) void send();
	};
	/** Returns whether e-mail and password are typed; marks and focuses the field that is empty. */
	const isComplete = (): boolean => {
		showsMissing.value = true;
		const hasBoth = email.value.trim() !== '' && password.value !== '';
		if (!hasBoth) focusEmpty(fields.current);
		return hasBoth;
	};
	const setUp = (): void => {
		if (isComplete()) factor.value = 'setUp';
	};
	const goOn = (confirmed: string | null): void => {
		factor.value = confirmed === null ? null : 'asked';
		code.value = confirmed ?? '';
		failure.value = null;
		if (confirmed !== null) void send();
	};
	useLayoutEffect(() => {
		if (factor.value === 'asked') focusEmpty(fields.current);
	}, [factor.value]);
	useLayoutEffect(() => void (isAlone && focusEmpty(fields.current)), []);
	// After each rendering, so that it knows what is chosen now.
	useLayoutEffect(() => {
		const form = fields.current?.closest('form');
		form?.addEventListener('submit', submit, { capture: true });
		return () => form?.removeEventListener('submit', submit, { capture: true });
	});
	if (factor.value === 'setUp')
		return (
			<div ref={fields}>
				<SecondFactor email={email.value} password={password.value} onDone={goOn} />
			</div>
		);
	return (
		<div class="stack" ref={fields}>
			<TextField
				type="email"
				autocomplete="username"
				label={words.email}
				error={missing(email.value.trim())}
				name="email"
				spellcheck={false}
				value={email.value}
				onText={(value) => {
					email.value = value;
				}}
			/>
			<TextField
				type="password"
				autocomplete="current-password"
				label={text.password}
				error={missing(password.value)}
				name="password"
				value={password.value}
				onText={(value) => {
					password.value = value;
				}}
			/>
			{factor.value === 'asked' && (
				<TextField
					label={text.code}
					hint={text.codeHint}
					name="one-time-code"
					autocomplete="one-time-code"
					spellcheck={false}
					value={code.value}
					onText={(value) => {
						code.value = value;
					}}
				/>
			)}
			{children}
			<div role="alert">
				{failure.value !== null && <Problems failure={failure.value} fallback={failedText(failure.value)} />}
			</div>
			<Button type="submit" look="primary" disabled={isBusy.value}>
				{isBusy.value ? words.submitting : words.submit}
			</Button>
			{factor.value === null && (
				<Button look="quiet" onClick={setUp}>
					{text.setUp}
				</Button>
			)}
		</div>
	);
}

/** Focuses the first empty field. */
function focusEmpty(form: HTMLElement | null): void {
	const inputs = [...(form?.querySelectorAll<HTMLInputElement>('input[name]') ?? [])];
	(inputs.find(({ value }) => value.trim() === '') ?? inputs[0])?.focus();
}

/** Returns the e-mail of the account whose session has ended; empty for anybody else. The session has it in the name that is shown. */
function endedEmail(): string {
	return /^(\S+@\S+) \(accounts\)$/.exec(session.value?.name ?? '')?.[1] ?? '';
}

/** Returns the tenant of the session that has ended. */
function endedTenant(): { readonly schemaName?: string; readonly tsdb_name?: string } {
	return session.value === null ? {} : { schemaName: session.value.schema, tsdb_name: session.value.database };
}
