import { listTool, readTool } from './tool-kinds.ts';

export const analyticsTools = [
  readTool({
    name: 'get_link_analytics',
    description:
      'Reads the totals of a link: views, time and the like. report_link joins them with visitors.',
    operation: 'analytics.link',
    id: 'Link id',
    idsFrom: 'list_links',
  }),
  listTool({
    name: 'list_link_visitors',
    description: 'Lists visitors.',
    operation: 'analytics.visitors',
    id: 'Link',
    idsFrom: 'list_links',
    resource: 'visitor',
    without: ['detail'],
  }),
  readTool({
    name: 'get_visit',
    description: 'Reads a visit: pages and times.',
    operation: 'analytics.visit',
    id: 'Visit id',
    idsFrom: 'list_link_visitors',
  }),
  readTool({
    name: 'get_room_analytics',
    description: 'Reads room metrics: views, visitors, time.',
    operation: 'analytics.room',
    id: 'Room id',
    idsFrom: 'list_rooms',
  }),
];
