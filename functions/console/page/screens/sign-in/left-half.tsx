import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadPart } from '#page/core/load.ts';

/** What stands on the left half of the page; null until it was loaded. */
const art = signal<ComponentType | null>(null);

async function loadArt(): Promise<void> {
	const { SignInArt } = await loadPart(() => import('./sign-in-art.tsx'));
	art.value = SignInArt;
}

/** The left half of the page. It is for the eye only, so it stays empty where its file is lost. */
export function LeftHalf() {
	useEffect(() => void loadArt().catch(() => undefined), []);
	const Art = art.value;
	return (
		<div class="sign-in-art" aria-hidden="true">
			{Art !== null && <Art />}
		</div>
	);
}
