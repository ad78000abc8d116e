import { Command } from 'commander';
import { say } from '../say.ts';
import { describeLink, findDocuments, requirePaths } from './find-documents.ts';
import { type GatewayOptions, openGateway, withGateway } from './gateway.ts';
import { count, describePlan, makePlan, refuseTooLong, usd } from './plan.ts';

interface Options extends GatewayOptions {
  readonly engine: string;
  readonly recursive: boolean;
  readonly json: boolean;
}

const AT_ONCE = 2;

export function estimateCommand(): Command {
  return withGateway(new Command('estimate'))
    .description('what reading documents would cost; nothing is read')
    .argument('<path...>', 'files and folders')
    .option('--engine <id>', 'the engine', 'tesseract')
    .option('--recursive', 'folders in folders, too', false)
    .option('--json', 'prints one JSON object', false)
    .action(async (paths: string[], options: Options) => {
      await requirePaths(paths);
      await using gateway = await openGateway(options);
      const { files, links } = await findDocuments(paths, options.recursive);
      const wish = { options: { engine: options.engine }, atOnce: AT_ONCE, maxPages: Number.POSITIVE_INFINITY };
      const found = await makePlan(gateway.client, files, wish);
      const command = (pages: number) => `\`read --max-pages ${pages}\``;
      const plan = await refuseTooLong(gateway.client, found, { engine: options.engine, command });
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ ...plan, links })}\n`);
        return;
      }
      const tell = (text: string) => say(text, process.stdout);
      for (const { file, pages, worstUsd } of plan.documents) {
        tell(`${file}: ${count(pages, 'page')}, ${worstUsd === null ? 'not known' : `${usd(worstUsd)} USD`}`);
      }
      for (const { file, why } of plan.refused) tell(`${file}: ${why}`);
      for (const link of links) tell(describeLink(link));
      tell(describePlan(plan));
    });
}
