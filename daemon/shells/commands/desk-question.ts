/** The answer to a question of a client that waits (spec §12). */

import { answerWords } from '../../access/privilege-increases/origin-words.ts';
import { refused } from '../command.ts';
import { questionView } from '../desk/views.ts';
import { requesterWords } from '../requester-words.ts';
import { questionIncrease } from './desk-increase.ts';
import { type DeskVariant, decided, noLongerWaiting } from './desk-shapes.ts';

export const answerOfQuestion: DeskVariant = {
  privilegeIncrease({ ids: [id], answer }, { ports }) {
    const asked = ports.approvals.pending().find(open => open.id === id);
    // The command will refuse what is not open any more.
    return answer === 'no' || asked === undefined ? null : questionIncrease(questionView(asked), ports.connections);
  },
  // Of its answer the register tells.
  records: 'refusals',
  async run(asked, context) {
    const [id = ''] = asked.ids;
    const answer = asked.answer === 'yes' ? 'yes' : 'no';
    const by = answerWords(answer, await requesterWords(context), context.confirmedBy);
    return context.ports.approvals.decide(id, answer, by) ? decided(asked) : refused(noLongerWaiting);
  },
};
