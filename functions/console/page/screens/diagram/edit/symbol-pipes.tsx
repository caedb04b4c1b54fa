import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import type { DraftSymbol } from '../diagram-draft.ts';
import { SymbolIcon } from '../symbols/symbol-icon.tsx';
import { diagramText } from '../texts.ts';
import { drawingActions, notByKey } from './drawing-actions.ts';
import type { EditProps } from './drawing-edits.ts';
import { focusDrawing } from './focus.ts';
import { endName } from './names.ts';
import { editText } from './texts.ts';

interface SymbolPipesProps extends EditProps {
	readonly symbol: DraftSymbol;
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
					drawingActions.pipe.perform(edits, { ...notByKey, symbol });
					focusDrawing();
				}}
			>
				{drawingActions.pipe.hint()}
			</Button>
		</>
	);
}
