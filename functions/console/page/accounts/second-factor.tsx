import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { api, type Failure, resultOf } from '#page/core/api.ts';
import { Button } from '#page/parts/button.tsx';
import { CopyButton } from '#page/parts/copy-button.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { QrCode } from './qr-code.tsx';
import { accountText, failedText } from './texts.ts';

interface SecondFactorProps {
	readonly email: string;
	readonly password: string;
	/** Called with a code when the second factor is set, and null when the person wants none now. */
	readonly onDone: (code: string | null) => void;
}

/** Sets up an authenticator app: its key, a code of it, and then the recovery codes. */
export function SecondFactor({ email, password, onDone }: SecondFactorProps) {
	const text = accountText();
	const box = useRef<HTMLDivElement>(null);
	const offered = useSignal<{ readonly secret: string; readonly address: string } | null>(null);
	const code = useSignal('');
	const recoveryCodes = useSignal<readonly string[] | null>(null);
	const failure = useSignal<Failure | null>(null);
	const isBusy = useSignal(false);
	const secret = offered.value?.secret;

	const send = async (sent: { readonly secret: string; readonly code: string } | null): Promise<void> => {
		if (isBusy.value) return;
		isBusy.value = true;
		const result = await resultOf(api.POST('/setSecondFactor', { body: { email, password, ...sent } }));
		isBusy.value = false;
		failure.value = result.ok ? null : result.failure;
		if (!result.ok) return;
		offered.value = result.data;
		recoveryCodes.value = result.data.recoveryCodes;
	};
	useEffect(() => void send(null), []);
	useLayoutEffect(
		() => box.current?.querySelector<HTMLElement>(recoveryCodes.value === null ? 'input' : '.primary')?.focus(),
		[secret, recoveryCodes.value],
	);
	const confirm = (): void => {
		if (secret !== undefined) void send({ secret, code: code.value });
	};
	return (
		<div class="stack" ref={box}>
			{recoveryCodes.value !== null ? (
				<>
					<h2>{text.recovery}</h2>
					<Told value={recoveryCodes.value.join('\n')} />
					<p>{text.recoveryHint}</p>
					<Button look="primary" onClick={() => onDone(code.value)}>
						{text.kept}
					</Button>
				</>
			) : (
				offered.value !== null && (
					<>
						<h2>{text.key}</h2>
						<QrCode value={offered.value.address} label={text.picture} />
						<Told value={offered.value.secret} />
						<a class="btn" href={offered.value.address}>
							{text.openApp}
						</a>
						<TextField
							label={text.code}
							name="one-time-code"
							autocomplete="one-time-code"
							inputMode="numeric"
							value={code.value}
							onText={(typed) => {
								code.value = typed;
							}}
							onKeyDown={(event) => {
								if (event.key !== 'Enter') return;
								event.preventDefault();
								confirm();
							}}
						/>
						<Button look="primary" disabled={isBusy.value} onClick={confirm}>
							{text.confirm}
						</Button>
					</>
				)
			)}
			<div role="alert">
				{failure.value !== null && <Problems failure={failure.value} fallback={failedText(failure.value)} />}
			</div>
			{recoveryCodes.value === null && (
				<Button look="quiet" onClick={() => onDone(null)}>
					{text.notNow}
				</Button>
			)}
		</div>
	);
}

/** What a person keeps, with a button that copies it. */
function Told({ value }: { readonly value: string }) {
	return (
		<div>
			<pre class="panel told">{value}</pre>
			<CopyButton value={value} />
		</div>
	);
}
