import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type ModelDto, modelsListOptions } from '../../api/index.ts';
import { ErrorNotice, later, Page, QueryState, useListState } from '../../ui/index.ts';
import { Studio } from './Studio.tsx';
import { words } from './words.ts';

const Details = later('opened', async () => (await import('./Details.tsx')).Details);

/** The generation of the address, whose details are open, and whether the failed ones are shown. */
const ABSENT = { generation: 0, failed: false };

/** The pictures of the workspace, and at the foot the composer that makes the next. */
export function GeneratePage() {
  const models = useQuery({ ...modelsListOptions(), staleTime: 300_000 });
  // Styles are trained on the pictures of a persona.
  const offered = useMemo(() => models.data?.models.filter(({ kind }) => kind !== 'style'), [models.data]);
  return (
    <Page title={words.title} isTitleHidden isWide>
      {offered && <Offered models={offered} />}
      {!offered && <QueryState query={models} rows={3} height={160} />}
    </Page>
  );
}

function Offered({ models }: { readonly models: readonly ModelDto[] }) {
  const [{ generation, failed }, change] = useListState(ABSENT);
  if (models.length === 0) return <ErrorNotice error={words.noModelsAtAll} title={words.noModels} />;
  return (
    <>
      <Studio
        models={models}
        showsFailed={failed}
        onFailed={(isShown) => change({ failed: isShown }, { push: true })}
        onOpen={(id) => change({ generation: id }, { push: true })}
      />
      {generation > 0 && <Details opened id={generation} onClose={() => change({ generation: 0 })} />}
    </>
  );
}
