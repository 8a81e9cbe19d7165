import { defineListTool, defineReadTool } from './define-tools.ts';

export const analyticsTools = [
  defineReadTool({
    name: 'get_link_analytics',
    description:
      'Reads the totals of a link: views, time and the like. report_link joins them with visitors.',
    operation: 'analytics.link',
    id: 'Link id',
    idSource: 'list_links',
  }),
  defineListTool({
    name: 'list_link_visitors',
    description: 'Lists visitors.',
    operation: 'analytics.visitors',
    id: 'Link',
    idSource: 'list_links',
    resource: 'visitor',
    without: ['detail'],
  }),
  defineReadTool({
    name: 'get_visit',
    description: 'Reads a visit: pages and times.',
    operation: 'analytics.visit',
    id: 'Visit id',
    idSource: 'list_link_visitors',
  }),
  defineReadTool({
    name: 'get_room_analytics',
    description: 'Reads room metrics: views, visitors, time.',
    operation: 'analytics.room',
    id: 'Room id',
    idSource: 'list_rooms',
  }),
];
