import type { Variable } from '#page/core/definitions.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import type { DraftSymbol } from '../diagram-draft.ts';
import { SymbolIcon } from '../symbols/symbol-icon.tsx';
import { diagramText } from '../texts.ts';
import { focusDrawing } from './drawing-keys.ts';
import { endName } from './names.ts';
import { pipeFrom } from './new-pipe.ts';
import { editText } from './texts.ts';
import type { DrawingEdits } from './use-drawing-edits.ts';

interface SymbolPipesProps {
	readonly symbol: DraftSymbol;
	readonly edits: DrawingEdits;
	readonly variables: ReadonlyMap<number, Variable>;
}

/** Lists the pipes at a symbol, with a button that begins another one. */
export function SymbolPipes({ symbol, edits, variables }: SymbolPipesProps) {
	const text = editText();
	const draft = edits.editor.content.value;
	const pipes = draft.pipes.filter(({ from, to }) => symbol.key !== null && (from[0] === symbol.key || to[0] === symbol.key));
	return (
		<>
			{pipes.length > 0 && (
				<div class="field">
					<span class="field-label">{text.itsPipes}</span>
					<ul class="edit-pipes">
						{pipes.map(({ id, from, to }) => (
							<li key={id}>
								<SymbolIcon kind="pipe" />
								<span>
									{from[0] === symbol.key
										? text.pipeTo(diagramText().sides[from[1]], endName(to, draft, variables))
										: text.pipeFrom(endName(from, draft, variables), diagramText().sides[to[1]])}
								</span>
								<Button small onClick={() => edits.choose([id])}>
									{commonText().show}
								</Button>
							</li>
						))}
					</ul>
				</div>
			)}
			<Button
				onClick={() => {
					pipeFrom(edits, symbol);
					focusDrawing();
				}}
			>
				{text.pipeFromHere}
			</Button>
		</>
	);
}
