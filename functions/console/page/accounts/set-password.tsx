import { useSignal } from '@preact/signals';
import { render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { addressCredentials } from '#page/core/address-credentials.ts';
import { api, type Failure, resultOf } from '#page/core/api.ts';
import { goTo } from '#page/core/route.ts';
import { Button } from '#page/parts/button.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { LeftHalf } from '#page/screens/sign-in/left-half.tsx';
import { signInText } from '#page/screens/sign-in/texts.ts';
import { laterStyles } from '#page/shell/later-styles.ts';
import { accountText, failedText } from './texts.ts';

/** Fewest characters of a password, as the service demands. */
const leastLength = 12;

/** Shows the page to set a password by a link, whose hash is given. Resolves when the page may begin: the e-mail then stands in the form. */
export async function takeLink(hash: string): Promise<void> {
	const token = hash.replace(/^.*?=/, '');
	// The page forgets the address with which it was loaded.
	goTo(location.pathname, { replace: true });
	const root = document.getElementById('console');
	// Preact does not notice that its own elements are taken away.
	root?.querySelector('.opening')?.remove();
	laterStyles().catch(() => undefined);
	if (root === null) return;
	await new Promise<void>((resolve) => render(<SetPassword token={token} onDone={resolve} />, root));
	render(null, root);
}

interface SetPasswordProps {
	/** What the link holds. */
	readonly token: string;
	/** Called when the person goes on to sign in. */
	readonly onDone: () => void;
}

/** The page of a link to set a password: the password twice, and then the way to the form. */
function SetPassword({ token, onDone }: SetPasswordProps) {
	const text = accountText();
	const form = useRef<HTMLFormElement>(null);
	const password = useSignal('');
	const repeated = useSignal('');
	const isBusy = useSignal(false);
	const showsFaults = useSignal(false);
	const failure = useSignal<Failure | null>(null);
	const email = useSignal<string | null>(null);
	useLayoutEffect(
		() => form.current?.querySelector<HTMLElement>(email.value === null ? 'input' : 'button')?.focus(),
		[email.value],
	);
	const isShort = [...password.value].length < leastLength;
	const isEqual = password.value === repeated.value;

	const send = async (): Promise<void> => {
		isBusy.value = true;
		const result = await resultOf(api.POST('/setPassword', { body: { token, password: password.value } }));
		isBusy.value = false;
		failure.value = result.ok ? null : result.failure;
		if (result.ok) email.value = result.data.email;
	};
	const submit = (event: Event): void => {
		event.preventDefault();
		showsFaults.value = true;
		if (email.value !== null) {
			addressCredentials.value = { email: email.value };
			onDone();
		} else if (!isBusy.value && !isShort && isEqual) void send();
		else form.current?.querySelectorAll('input')[isShort ? 0 : 1]?.focus();
	};
	return (
		<div class="sign-in">
			<LeftHalf />
			<main>
				<form class="sign-in-form" ref={form} noValidate onSubmit={submit}>
					<h1>{email.value === null ? text.set : text.done}</h1>
					{email.value === null && (
						<>
							<PasswordField
								label={text.newPassword}
								hint={text.hint}
								error={showsFaults.value && isShort ? text.tooShort : undefined}
								value={password}
							/>
							<PasswordField
								label={text.repeated}
								error={showsFaults.value && !isShort && !isEqual ? text.differs : undefined}
								value={repeated}
							/>
						</>
					)}
					<div role="alert">
						{failure.value !== null && <Problems failure={failure.value} fallback={failedText(failure.value)} />}
					</div>
					<Button type="submit" look="primary" disabled={isBusy.value}>
						{email.value !== null ? signInText().submit : isBusy.value ? text.saving : text.save}
					</Button>
				</form>
			</main>
		</div>
	);
}

interface PasswordFieldProps {
	readonly label: string;
	readonly hint?: string;
	readonly error: string | undefined;
	/** Gets what is typed. */
	readonly value: { value: string };
}

/** A field for a new password. */
function PasswordField({ value, ...field }: PasswordFieldProps) {
	return (
		<TextField
			{...field}
			type="password"
			autocomplete="new-password"
			name="new-password"
			value={value.value}
			onText={(typed) => {
				value.value = typed;
			}}
		/>
	);
}
